import type { Outcome } from '../../core/outcome/index.ts';
import { fieldsOf, isBlank } from './fields.ts';
import { healArguments } from './heal-arguments.ts';
import type { Fields, Format, Piece, ReadPiece, Side, StoredCall, StoredResult } from './transcript.ts';

/** What tells apart the formats in which a message is a list of parts. */
export interface ContentRules extends Pick<Format, 'idsOptional' | 'opensWithUser' | 'cutsAtUser' | 'fitId' | 'joins'> {
  readonly key: 'content' | 'parts';
  readonly argsOptional?: boolean;
  readonly sideOf: (message: Fields) => Side;
  readonly readCall: (part: Fields, siblings: readonly unknown[]) => Omit<StoredCall, 'part'> | undefined;
  readonly readResult: (part: Fields, side: Side, siblings: readonly unknown[]) => Omit<StoredResult, 'part'> | undefined;
  /** Gives the id that a part holds for the provider's own dealings. */
  readonly heldBy?: (part: Fields, siblings: readonly unknown[]) => string | undefined;
  /** Tells whether a part must go because it says nothing or has lost what it belongs to. */
  readonly isVoid: (part: Fields, siblings: readonly unknown[]) => boolean;
  /** Tells whether a part is worth a message of its own. */
  readonly isSubstance: (part: Fields) => boolean;
  readonly writeCall: (part: Fields, call: StoredCall) => unknown;
  /** Writes a request for approval again, in case its call has a new id. */
  readonly writeRequest?: (part: Fields, calls: readonly StoredCall[]) => unknown;
  readonly writeResult: (result: StoredResult, call: StoredCall) => unknown;
  readonly toResult: (call: StoredCall, outcome: Outcome) => Fields;
  readonly toParts: (result: StoredResult) => readonly unknown[];
  readonly toTextPart: (text: string) => unknown;
  /** Gives the message that a group without one of its own begins with. */
  readonly frameOf: (piece: Piece) => Fields;
}

/** Builds the format of a provider whose messages are lists of parts, in which calls and results are parts among others. */
export function contentFormat(rules: ContentRules): Format {
  const { key, argsOptional, readCall, readResult, idsOptional, opensWithUser, cutsAtUser, fitId, joins } = rules;
  return {
    resultsFollow: true,
    idsOptional,
    opensWithUser,
    cutsAtUser,
    fitId,
    joins,
    read: (message) => read(message, rules),
    healArgs: ({ args }) => (argsOptional === true && args === undefined ? undefined : healArguments(args)),
    encode(call, outcome) {
      const part = rules.toResult(call, outcome);
      return { ...(readResult(part, 'user', []) as StoredResult), part };
    },
    note(lead, result) {
      const [first, ...others] = result === undefined ? [] : rules.toParts(result);
      const words = typeof first === 'string' ? `${lead}\n${first}` : lead;
      return [rules.toTextPart(words), ...(typeof first === 'string' || first === undefined ? [] : [first]), ...others].map((part) =>
        typeof part === 'string' ? rules.toTextPart(part) : part,
      );
    },
    build(pieces) {
      const own = pieces.find(({ source }) => source.pieces > 0);
      const frame = (own && fieldsOf(own.source.message)) ?? rules.frameOf(pieces[0] as Piece);
      return { ...frame, [key]: pieces.flatMap((piece) => write(piece, rules)) };
    },
  };

  function write({ parts, calls, result, changed, call }: Piece, { writeCall, writeRequest, writeResult, toTextPart }: ContentRules): unknown[] {
    if (result !== undefined) return changed && call !== undefined ? [writeResult(result, call)] : [result.part];
    const callOf = new Map(calls.map((each) => [each.part, each]));
    return parts.map((part) => {
      if (typeof part === 'string') return toTextPart(part);
      const own = changed ? callOf.get(part as Fields) : undefined;
      return own === undefined ? (writeRequest?.(part as Fields, calls) ?? part) : writeCall(part as Fields, own);
    });
  }

  function read(message: Fields, { sideOf, heldBy, isVoid, isSubstance }: ContentRules): readonly ReadPiece[] | undefined {
    const side = sideOf(message);
    const content = message[key];
    if (side === 'other') return [{ side, parts: [] }];
    if (isBlank(content)) return [];
    if (typeof content === 'string') return [{ side, parts: [content] }];
    if (!Array.isArray(content)) return undefined;
    const parts: unknown[] = [];
    const calls: StoredCall[] = [];
    const held: string[] = [];
    const pieces: ReadPiece[] = [];
    let changed = false;
    let mainAt = -1;
    let isSaid = false;
    for (const item of content) {
      const part = fieldsOf(item);
      if (part === undefined) return undefined;
      if (isVoid(part, content)) {
        changed = true;
        continue;
      }
      const result = readResult(part, side, content);
      if (result !== undefined) {
        pieces.push({ side: 'user', parts: [part], result: { ...result, part } });
        continue;
      }
      if (mainAt < 0) mainAt = pieces.push({ side, parts }) - 1;
      const call = side === 'model' ? readCall(part, content) : undefined;
      if (call !== undefined) calls.push({ ...call, part });
      const id = heldBy?.(part, content);
      if (id !== undefined) held.push(id);
      isSaid ||= call !== undefined || isSubstance(part);
      parts.push(part);
    }
    // Thoughts that led to nothing, and nothing else, are what an interrupted stream leaves behind.
    if (mainAt >= 0 && !isSaid) {
      pieces.splice(mainAt, 1);
      changed = true;
    } else if (mainAt >= 0) pieces[mainAt] = { side, parts, calls, held, changed };
    return changed ? pieces.map((piece) => ({ ...piece, changed: true })) : pieces;
  }
}
