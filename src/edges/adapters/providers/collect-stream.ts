import type { Fields } from './read-answer.ts';

/** Puts the pieces of a streamed answer together. */
export interface Collector {
  /** Takes a piece; gives the text in it that a reader may see at once. */
  readonly add: (piece: Fields) => string;
  /** Gives the whole answer; throws when the stream ended early. */
  readonly end: () => object;
}

/** Reads a stream to its end, telling its text on the way. */
export async function collect(stream: unknown, collector: Collector, onText?: (text: string) => unknown): Promise<object> {
  for await (const piece of stream as AsyncIterable<Fields>) {
    const text = collector.add(piece);
    if (text !== '') tell(text, onText);
  }
  return collector.end();
}

/** Tells a listener of the application, which cannot break a run. */
export function tell(text: string, onText: ((text: string) => unknown) | undefined): void {
  try {
    const told = onText?.(text);
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // What a listener throws is the application's own affair.
  }
}
