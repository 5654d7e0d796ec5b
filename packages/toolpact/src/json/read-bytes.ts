/** A body as platforms give it: a stream of the web, or of Node. */
export type ByteSource = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null;

/** Returns the bytes of a body piece by piece. Where they pass the limit it gives undefined, and the rest is not read. */
export async function* readPieces(body: ByteSource, maxBytes: number): AsyncGenerator<Uint8Array | undefined, void, undefined> {
  let size = 0;
  for await (const piece of piecesOf(body)) {
    size += piece.byteLength;
    if (size > maxBytes) return yield undefined;
    yield piece;
  }
}

/** Reads a whole body; undefined where it is larger than the limit, and then the rest is not read. */
export async function readBytes(body: ByteSource, maxBytes: number): Promise<Uint8Array | undefined> {
  const pieces: Uint8Array[] = [];
  for await (const piece of readPieces(body, maxBytes)) {
    if (piece === undefined) return undefined;
    pieces.push(piece);
  }
  const [only] = pieces;
  if (pieces.length === 1 && only !== undefined) return only;
  const whole = new Uint8Array(pieces.reduce((size, piece) => size + piece.byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** Not every browser can iterate over a stream of the web, so that is read by its reader. */
async function* piecesOf(body: ByteSource): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return;
  if (!('getReader' in body)) return yield* body;
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // The rest is not wanted; a body that failed cannot be cancelled.
    void reader.cancel().catch(() => undefined);
  }
}
