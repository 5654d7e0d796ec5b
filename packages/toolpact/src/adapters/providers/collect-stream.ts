import { isObject, peek } from '../../json/index.ts';
import { expectArgument } from '../../outcome/index.ts';
import type { Fields } from './read-answer.ts';

/** Puts the pieces of a streamed answer together. */
export interface Collector {
  /** Takes a piece; gives the text in it that a reader may see at once. */
  readonly add: (piece: Fields) => string;
  /** Returns the whole answer; throws when the stream ended early. */
  readonly end: () => object;
}

/** Reads a stream to its end, and passes each piece of text to `onText`. */
export async function collect(stream: unknown, collector: Collector, onText?: (text: string) => unknown): Promise<object> {
  expectArgument(
    typeof peek(stream, Symbol.asyncIterator as never) === 'function',
    'collectStream takes the stream of a provider: an async iterable',
  );
  try {
    for await (const piece of stream as AsyncIterable<Fields>) {
      const text = collector.add(piece);
      if (text !== '') passText(text, onText);
    }
    return collector.end();
  } catch (thrown) {
    if (isObject(thrown)) fromStreams.add(thrown);
    throw thrown;
  }
}

const fromStreams = new WeakSet<object>();

/** Checks whether an error came while a stream was read: then the request was fine, and the answer is not. */
export function isFromStream(thrown: unknown): boolean {
  return isObject(thrown) && fromStreams.has(thrown);
}

/** Passes text to a listener of the application. An error of the listener does not break the run. */
export function passText(text: string, onText: ((text: string) => unknown) | undefined): void {
  try {
    const result = onText?.(text);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // Ignore what the listener throws: the stream goes on.
  }
}
