type Data = string | Uint8Array;

interface Host {
  readonly process?: {
    readonly getBuiltinModule?: (id: string) => { readonly hash?: Hash } | undefined;
  };
}

interface Hash {
  (algorithm: 'sha256', data: Data, encoding: 'hex'): string;
  (algorithm: 'sha256', data: Data, encoding: 'buffer'): Uint8Array;
}

/** That of Node, Bun and Deno. An import of `node:crypto` would keep everything that imports it out of browsers, whose own is asynchronous. */
const native = (globalThis as Host).process?.getBuiltinModule?.('node:crypto')?.hash;

/** Computes the SHA-256 of a text, in UTF-8, or of bytes. */
export function sha256(data: Data): Uint8Array {
  return native === undefined ? computeSha256(data) : native('sha256', data, 'buffer');
}

/** Computes the SHA-256 of a text, in UTF-8, or of bytes, as hex. */
export function sha256Hex(data: Data): string {
  return native === undefined ? toHex(computeSha256(data)) : native('sha256', data, 'hex');
}

/** Writes bytes as hex. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Computes SHA-256 (FIPS 180-4) where the host has none that answers at once. */
export function computeSha256(data: Data): Uint8Array {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data;
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setBigUint64(padded.byteLength - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(initial);
  for (let at = 0; at < padded.byteLength; at += 64) mixBlock(state, padded, at);
  const digest = new DataView(new ArrayBuffer(32));
  for (const [index, word] of state.entries()) digest.setUint32(index * 4, word);
  return new Uint8Array(digest.buffer);
}

const primes = Array.from({ length: 312 }, (_, index) => index).filter(
  (number) => number > 1 && Array.from({ length: 16 }, (_, index) => index + 2).every((part) => part >= number || number % part !== 0),
);
const initial = primes.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
const constants = Uint32Array.from(primes, (prime) => fractionBits(Math.cbrt(prime)));

/** The first 32 bits behind the point. */
function fractionBits(value: number): number {
  return Math.floor((value % 1) * 2 ** 32);
}

const words = new Uint32Array(64);

function mixBlock(state: Uint32Array, block: DataView, at: number): void {
  const word = (index: number): number => words[index] as number;
  for (let index = 0; index < 64; index += 1) {
    if (index < 16) words[index] = block.getUint32(at + index * 4);
    else {
      const [early, late] = [word(index - 15), word(index - 2)];
      const sum0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
      const sum1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
      words[index] = word(index - 16) + sum0 + word(index - 7) + sum1;
    }
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let index = 0; index < 64; index += 1) {
    const choice = (e & f) ^ (~e & g);
    const first = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + (constants[index] as number) + word(index)) | 0;
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const second = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] as number) + value;
}

function turn(value: number, bits: number): number {
  return (value >>> bits) | (value << (32 - bits));
}
