import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { computeSha256, sha256, sha256Hex, toHex } from './sha256.ts';

const texts = ['', 'abc', 'ä😀', 'x'.repeat(55), 'x'.repeat(56), 'x'.repeat(63), 'x'.repeat(64), 'x'.repeat(1_000)];

test.each(texts)('the hash of %j is SHA-256 with that of the host and without it', (text) => {
  const expected = createHash('sha256').update(text).digest('hex');
  const bytes = new TextEncoder().encode(text);
  const hashes = [sha256Hex(text), sha256Hex(bytes), toHex(sha256(text)), toHex(computeSha256(text)), toHex(computeSha256(bytes))];
  expect(new Set(hashes)).toEqual(new Set([expected]));
});
