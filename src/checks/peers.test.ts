import { afterEach, describe, expect, it } from 'vitest';
import { openScene, type Scene, tryCheck } from '../../test/support/worker-scene.ts';
import { mtu } from './mtu.ts';
import { peerEcho } from './peer-echo.ts';

let scene: Scene | null = null;

afterEach(() => scene?.close());

async function echo(rule: object, isSilentPeerGiven: 'with a silent peer' | 'alone') {
  scene = await openScene({ dns: { manner: 'silent' } });
  const { peer, dns, world } = scene;
  const silent = { address: dns.address, port: dns.port };
  const peers = isSilentPeerGiven === 'alone' ? [peer] : [silent, peer];
  return tryCheck(peerEcho, { world, timeoutMs: 500, params: { peers, ...rule } });
}

describe('the echo of peers', () => {
  it('passes when one of two peers is silent: it may itself be at fault', async () => {
    expect(await echo({}, 'with a silent peer')).toEqual({ kind: 'pass', message: '1 of 2 peers echo' });
  });

  it('fails when both have to echo', async () => {
    expect(await echo({ peersMin: 2 }, 'with a silent peer')).toMatchObject({
      kind: 'fail',
      code: 'PacketLoss',
    });
  });

  it('proves nothing when fewer peers are given than have to echo', async () => {
    expect(await echo({ peersMin: 2 }, 'alone')).toMatchObject({
      kind: 'inconclusive',
      code: 'NothingToCheck',
    });
  });
});

describe('packets of full size', () => {
  it('pass when one of two peers gets them: the hole may be at the other end', async () => {
    scene = await openScene();
    const { peer, narrowPeer, world } = scene;
    const params = { peers: [narrowPeer, peer], mtu: 1500 };
    expect(await tryCheck(mtu, { world, params })).toMatchObject({ kind: 'pass' });
  });

  it('fail when none of them does', async () => {
    scene = await openScene();
    const { narrowPeer, world } = scene;
    const params = { peers: [narrowPeer, { ...narrowPeer }], mtu: 1500 };
    expect(await tryCheck(mtu, { world, params })).toMatchObject({ kind: 'fail', code: 'MtuBlackhole' });
  });
});
