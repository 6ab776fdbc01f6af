// The images that a generated Node reports: kubelets list up to fifty, and they are the largest part of a Node.

import type { Draw } from './draw.ts';

const registries = [
  '602401143452.dkr.ecr.eu-central-1.amazonaws.com/platform',
  'registry.k8s.io/sig-storage',
  'quay.io/prometheus',
  'registry.example.com/payments',
  'registry.example.com/search',
];
const programs = ['agent', 'proxy', 'exporter', 'csi-driver', 'gateway', 'worker', 'indexer', 'log-shipper'];
const imagesMin = 17;
const imagesMore = 17;

export function imagesOf(draw: Draw) {
  const count = imagesMin + draw.below(imagesMore + 1);
  return Array.from({ length: count }, () => {
    const repository = `${draw.one(registries)}/${draw.one(programs)}-${draw.below(60)}`;
    const tag = `v${draw.below(4)}.${draw.below(30)}.${draw.below(12)}`;
    return {
      names: [`${repository}@sha256:${draw.hex(64)}`, `${repository}:${tag}`],
      sizeBytes: 8_000_000 + draw.below(900_000_000),
    };
  });
}
