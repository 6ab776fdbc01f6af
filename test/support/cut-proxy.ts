// A plain TCP proxy in front of the API server whose connections can be cut: what a failing network does to a watch.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type CutProxy = {
  readonly url: string;
  readonly connections: () => number;
  cut(): void;
  close(): Promise<void>;
};

export function startCutProxy(target: string): Promise<CutProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream).pipe(client);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const close = () => new Promise<void>((done) => (cut(), server.close(() => done())));
      resolve({ url, connections: () => sockets.size / 2, cut, close });
    });
  });
}
