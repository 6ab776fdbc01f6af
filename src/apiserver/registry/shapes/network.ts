// The wire shapes of Service, EndpointSlice and CustomResourceDefinition.

import { kindFields } from '../metadata-shape.ts';
import { flag, int, list, open, pointer, shown, struct, text, texts, time } from '../shape.ts';

const intOrText = { shape: { kind: 'intOrText' }, emit: 'present' } as const;

export const serviceFields = kindFields({
  spec: struct({
    ports: list(
      struct({
        name: text,
        protocol: text,
        appProtocol: pointer(text),
        port: shown(int),
        targetPort: intOrText,
        nodePort: int,
      }),
      'port',
    ),
    selector: texts,
    clusterIP: text,
    clusterIPs: list(text),
    type: text,
    externalIPs: list(text),
    sessionAffinity: text,
    loadBalancerIP: text,
    loadBalancerSourceRanges: list(text),
    externalName: text,
    externalTrafficPolicy: text,
    healthCheckNodePort: int,
    publishNotReadyAddresses: flag,
    sessionAffinityConfig: open,
    ipFamilies: list(text),
    ipFamilyPolicy: pointer(text),
    allocateLoadBalancerNodePorts: pointer(flag),
    loadBalancerClass: pointer(text),
    internalTrafficPolicy: pointer(text),
    trafficDistribution: pointer(text),
  }),
  status: struct({ loadBalancer: struct({ ingress: open }), conditions: open }),
});

export const endpointSliceFields = kindFields({
  addressType: shown(text),
  endpoints: shown(
    list(
      struct({
        addresses: shown(list(text)),
        conditions: struct({ ready: pointer(flag), serving: pointer(flag), terminating: pointer(flag) }),
        hostname: pointer(text),
        targetRef: open,
        deprecatedTopology: texts,
        nodeName: pointer(text),
        zone: pointer(text),
        hints: open,
      }),
    ),
  ),
  ports: shown(
    list(
      struct({
        name: pointer(text),
        protocol: pointer(text),
        port: pointer(int),
        appProtocol: pointer(text),
      }),
    ),
  ),
});

const names = {
  plural: shown(text),
  singular: text,
  shortNames: list(text),
  kind: shown(text),
  listKind: text,
  categories: list(text),
};

export const definitionFields = kindFields({
  spec: struct({
    group: shown(text),
    names: struct(names),
    scope: shown(text),
    versions: shown(
      list(
        struct({
          name: shown(text),
          served: shown(flag),
          storage: shown(flag),
          deprecated: flag,
          deprecationWarning: pointer(text),
          schema: open,
          subresources: open,
          additionalPrinterColumns: list(
            struct({
              name: shown(text),
              type: shown(text),
              format: text,
              description: text,
              priority: int,
              jsonPath: shown(text),
            }),
          ),
          selectableFields: list(struct({ jsonPath: shown(text) })),
        }),
      ),
    ),
    conversion: open,
    preserveUnknownFields: flag,
  }),
  status: struct({
    conditions: shown(
      list(
        struct({
          type: shown(text),
          status: shown(text),
          lastTransitionTime: time,
          reason: text,
          message: text,
          observedGeneration: int,
        }),
      ),
    ),
    acceptedNames: struct(names),
    storedVersions: shown(list(text)),
    observedGeneration: int,
  }),
});
