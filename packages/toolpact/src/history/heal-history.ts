import { isRecord, wellFormedJson } from '../json/index.ts';
import { refuseOptions } from '../outcome/index.ts';
import type { Ledger } from './answer-call.ts';
import { formatOf } from './format-of.ts';
import { layOut } from './lay-out.ts';
import { readPieces } from './read-pieces.ts';
import type { Repair, Report } from './repair.ts';
import type { Format, HistoryProvider, Piece } from './transcript.ts';

/** How a message list is healed. */
export interface HealOptions {
  /** Who will read the messages. `openai` stands for both of its forms. @default detected from the messages */
  readonly provider?: HistoryProvider | undefined;
  /** Knows how calls ended whose results are missing. */
  readonly ledger?: Ledger | undefined;
  /** Hears of everything that is changed. It cannot break anything. */
  readonly onRepair?: ((repair: Repair) => void) | undefined;
}

/**
 * Repairs a message list, so that its provider accepts it: every call has its result, every result its call, in the right place and under
 * ids of their own. No call is taken out and no answer is lost; where it is not known how a call ended, its result says so. Gives the same
 * list back when nothing is wrong, changes nothing in place, never throws, and leaves alone what it does not know.
 */
export function healHistory<TMessage>(messages: readonly TMessage[], options: HealOptions = {}): TMessage[] {
  // Messages that are to be healed are on their way to a provider: only a misspelt option is worth an exception.
  if (isRecord(options)) refuseOptions<HealOptions>('healHistory', options, { provider: true, ledger: true, onRepair: true });
  try {
    const format = formatOf(messages, options?.provider);
    if (format === undefined) return messages as TMessage[];
    const report = isolated(options?.onRepair);
    const laid = layOut(readPieces(withoutHalves(messages, report), format, report), format, options?.ledger, report);
    const healed = assemble(opened(laid, format, report), format, report);
    const isSame = healed.length === messages.length && healed.every((message, index) => message === messages[index]);
    return (isSame ? messages : healed) as TMessage[];
  } catch {
    return messages as TMessage[];
  }
}

/** Replaces halves of surrogate pairs, which are left where a text was cut: providers refuse the whole list for one. */
function withoutHalves(messages: readonly unknown[], report: Report): readonly unknown[] {
  return messages.map((message, index) => {
    try {
      const healed = wellFormedJson(message);
      if (healed !== message) report({ type: 'text', index });
      return healed;
    } catch {
      return message;
    }
  });
}

/** Puts a word of the user's first, where providers insist on it. */
function opened(pieces: readonly Piece[], format: Format, report: Report): readonly Piece[] {
  const at = pieces.findIndex(({ side }) => side !== 'other');
  const first = pieces[at];
  if (!format.opensWithUser || first?.side !== 'model') return pieces;
  report({ type: 'opened', index: first.source.index });
  const parts = format.note('[Start of the conversation as it was kept.]', undefined);
  const source = { message: undefined, index: first.source.index, pieces: 0 };
  return pieces.toSpliced(at, 0, { side: 'user', source, place: 0, parts, calls: [], changed: false });
}

/** Writes pieces as messages. A message whose pieces all stand as they stood is given back as it is. */
function assemble(pieces: readonly Piece[], format: Format, report: Report): unknown[] {
  const messages: unknown[] = [];
  for (let at = 0, end = 0; at < pieces.length; at = end) {
    end = at + 1;
    while (end < pieces.length && format.joins(pieces[end - 1] as Piece, pieces[end] as Piece)) end += 1;
    const group = pieces.slice(at, end);
    const sources = new Set(group.map(({ source }) => source).filter(({ pieces: count }) => count > 0));
    for (const { index } of [...sources].slice(1)) report({ type: 'merged', index });
    messages.push(isWhole(group) ? group[0]?.source.message : format.build(group));
  }
  return messages;
}

function isWhole(group: readonly Piece[]): boolean {
  const source = group[0]?.source;
  return (
    group.length === source?.pieces && group.every((piece, place) => piece.source === source && piece.place === place && !piece.changed)
  );
}

function isolated(listener: ((repair: Repair) => void) | undefined): Report {
  return (repair) => {
    try {
      listener?.(Object.freeze(repair));
    } catch {
      // A listener that fails must not end the conversation.
    }
  };
}
