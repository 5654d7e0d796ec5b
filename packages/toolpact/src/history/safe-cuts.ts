import { refuseOptions } from '../outcome/index.ts';
import { chatFormat } from './chat-format.ts';
import { formatOf, hasForeignCalls } from './format-of.ts';
import { pairResults } from './pair-results.ts';
import { readPieces } from './read-pieces.ts';
import type { HistoryProvider, Piece } from './transcript.ts';

/** How cuts are looked for. */
export interface CutOptions {
  /** Who will read the messages. @default detected from the messages */
  readonly provider?: HistoryProvider | undefined;
  /** Says that a message of the user's, such as a summary, will stand before what is kept, so that it may begin with the model's turn. */
  readonly summarized?: boolean | undefined;
}

/**
 * Returns the places at which a message list may be cut, in rising order: `messages.slice(cut)` parts no call from its result and begins
 * with something the provider accepts. The first is 0, which cuts nothing; an empty list has none.
 */
export function safeCuts(messages: readonly unknown[], options: CutOptions = {}): number[] {
  refuseOptions<CutOptions>('safeCuts', options, { provider: true, summarized: true });
  try {
    if (!Array.isArray(messages) || messages.length === 0) return [];
    if (hasForeignCalls(messages)) return [0];
    const format = formatOf(messages, options?.provider) ?? chatFormat;
    const pieces = readPieces(messages, format);
    pairResults(pieces, format);
    const tied = tiedPlaces(pieces, messages.length, format.resultsFollow);
    const maySpeakFirst = !format.cutsAtUser || options?.summarized === true;
    const [heads, withResult] = [new Map<number, Piece>(), new Set<number>()];
    for (const piece of pieces) {
      const { index } = piece.source;
      if (!heads.has(index)) heads.set(index, piece);
      if (piece.result !== undefined) withResult.add(index);
    }
    const isStart = (index: number): boolean => {
      const side = heads.get(index)?.side;
      return side !== undefined && !withResult.has(index) && (side !== 'model' || maySpeakFirst);
    };
    return messages.flatMap((_, index) => (index === 0 || (tied[index] === 0 && isStart(index)) ? [index] : []));
  } catch {
    return [0];
  }
}

/** Counts for every place how many calls lie before it whose results lie behind it, or the other way round. */
function tiedPlaces(pieces: readonly Piece[], length: number, resultsFollow: boolean): readonly number[] {
  const steps = new Array<number>(length + 1).fill(0);
  const tie = (a: number, b: number): void => {
    const [from, to] = [Math.min(a, b) + 1, Math.max(a, b) + 1];
    steps[from] = (steps[from] ?? 0) + 1;
    steps[to] = (steps[to] ?? 0) - 1;
  };
  pieces.forEach((piece, at) => {
    if (piece.turn !== undefined) tie(piece.turn.source.index, piece.source.index);
    const before = pieces[at - 1];
    // Items of one response belong together: a call is refused without the thought that led to it.
    if (!resultsFollow && piece.side === 'model' && before?.side === 'model') tie(before.source.index, piece.source.index);
  });
  let open = 0;
  return steps.map((step) => {
    open += step;
    return open;
  });
}
