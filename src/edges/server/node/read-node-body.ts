import type { IncomingMessage } from 'node:http';

const none = new Uint8Array(0);

/** Reads the body of a request. Gives undefined where it passes the limit, and reads no further; rejects when it breaks off. */
export function readNodeBody(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array | undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = incoming.headers;
  if (encoding === undefined && (length === undefined || length === '0')) return Promise.resolve(none);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        incoming.off('data', onData);
        incoming.pause();
        resolve(undefined);
      }
    };
    incoming.on('data', onData);
    incoming.once('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, size)));
    incoming.once('error', reject);
    // Every request closes; making an error for each would cost more than reading it.
    incoming.once('close', () => {
      if (!incoming.complete) reject(new Error('the body broke off'));
    });
  });
}
