import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readBytes } from './read-bytes.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const text = (read: Uint8Array | undefined) => read && new TextDecoder().decode(read);

test.each([
  ['a stream of the web', () => new Response('hello world').body],
  ['a stream of Node', () => Readable.from([bytes('hello '), bytes('world')])],
])('reads %s up to its limit', async (_, open) => {
  expect(text(await readBytes(open(), 11))).toBe('hello world');
  expect(await readBytes(open(), 10)).toBeUndefined();
});

test('a body that is absent is empty', async () => {
  expect(await readBytes(null, 10)).toEqual(new Uint8Array());
});

test('no more is read of a body without an end once the limit is passed', async () => {
  let [pulls, isCancelled] = [0, false];
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulls += 1;
      controller.enqueue(new Uint8Array(1000));
    },
    cancel() {
      isCancelled = true;
    },
  });
  expect(await readBytes(endless, 5000)).toBeUndefined();
  expect(isCancelled).toBe(true);
  expect(pulls).toBeLessThan(10);
});

test('a body that breaks off rejects', async () => {
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes('a'));
      controller.error(new Error('gone'));
    },
  });
  await expect(readBytes(broken, 10)).rejects.toThrow('gone');
});
