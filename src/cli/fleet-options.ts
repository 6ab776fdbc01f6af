// Options about the simulated fleet that `muster sim` and `muster up` share, declared once.

import { duration, text, whole } from './option-kinds.ts';
import { option } from './options.ts';

export const NODES_MAX = 10_000;
const SEED_MAX = 2 ** 32 - 1;

export const fleetOptions = {
  nodes: option(whole({ min: 0, max: NODES_MAX }), {
    flag: 'nodes',
    key: null,
    fallback: 24,
    fallbackText: '24',
    help: 'how many nodes, in three pools',
  }),
  pools: option(text('<a=8,b=8>'), {
    flag: 'pools',
    key: null,
    fallback: '',
    help: 'pools by name and size, in place of --nodes',
  }),
  seed: option<number | null>(whole({ min: 0, max: SEED_MAX }), {
    flag: 'seed',
    key: null,
    fallback: null,
    fallbackText: 'drawn, and printed',
    help: 'the same seed makes the same things happen at the same times',
  }),
  stages: option(text('<dir>'), {
    flag: 'stages',
    key: null,
    fallback: '',
    help: 'a folder of stage files; one named as a built-in stage takes its place',
  }),
  durationMs: option<number | null>(duration({ min: '1s', max: '24h' }), {
    flag: 'duration',
    key: null,
    fallback: null,
    fallbackText: 'until Ctrl-C',
    help: 'how long to run',
  }),
} as const;
