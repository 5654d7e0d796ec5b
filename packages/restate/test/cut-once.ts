import net from 'node:net';
import type { Worker } from './with-restate.ts';

/** Stands between Restate and a worker, and breaks the connection once: when Restate has what the worker said with this text, and nothing after it. */
export async function cutOnce(worker: Worker, text: string): Promise<Worker & { readonly cuts: () => number }> {
  let cuts = 0;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((restate) => {
    const inner = net.connect(Number(new URL(worker.uri).port), '127.0.0.1');
    let isSaid = false;
    restate.on('data', (chunk) => {
      // Restate confirms what it has stored by repeating it.
      if (isSaid && chunk.includes(text)) restate.destroy();
      else inner.write(chunk);
    });
    inner.on('data', (chunk) => {
      if (isSaid) return;
      restate.write(chunk);
      if (cuts > 0 || !chunk.includes(text)) return;
      isSaid = true;
      cuts += 1;
    });
    for (const [one, other] of [
      [restate, inner],
      [inner, restate],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined).on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...worker,
    uri: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    cuts: () => cuts,
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      worker.close();
    },
  };
}
