// How a policy names a peer that echoes.

import { port, record, required, targetAddress } from './params.ts';

export const peerKind = record({ address: required(targetAddress), port: required(port) });
