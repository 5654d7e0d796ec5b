import type { Outcome } from '../outcome/index.ts';
import { fieldsOf, isBlank } from './fields.ts';
import { healArguments } from './heal-arguments.ts';
import type { Fields, Format, Piece, ReadPiece, Side, StoredCall, StoredResult } from './transcript.ts';

/** The differences between the formats in which a message is a list of parts. */
export interface ContentRules
  extends Pick<Format, 'idsOptional' | 'opensWithUser' | 'cutsAtUser' | 'fitId' | 'fitName' | 'joins' | 'healContent' | 'withContent'> {
  readonly key: 'content' | 'parts';
  readonly argsOptional?: boolean;
  readonly sideOf: (message: Fields) => Side;
  readonly readCall: (part: Fields, siblings: readonly unknown[]) => Omit<StoredCall, 'part'> | undefined;
  readonly readResult: (part: Fields, side: Side, siblings: readonly unknown[]) => Omit<StoredResult, 'part'> | undefined;
  /** Returns the id that a part holds for the provider's own dealings. */
  readonly heldBy?: (part: Fields, siblings: readonly unknown[]) => string | undefined;
  /** Checks whether a part must go because it says nothing or has lost what it belongs to. */
  readonly isVoid: (part: Fields, siblings: readonly unknown[]) => boolean;
  /** Whether a model's message must not end with a part without substance. */
  readonly endsWithSubstance?: boolean;
  /** Checks whether a part is worth a message of its own. */
  readonly isSubstance: (part: Fields) => boolean;
  readonly writeCall: (part: Fields, call: StoredCall) => unknown;
  /** Writes a request for approval again, in case its call has a new id. */
  readonly writeRequest?: (part: Fields, calls: readonly StoredCall[]) => unknown;
  readonly writeResult: (result: StoredResult, call: StoredCall) => unknown;
  readonly toResult: (call: StoredCall, outcome: Outcome) => Fields;
  readonly toParts: (result: StoredResult) => readonly unknown[];
  readonly toTextPart: (text: string) => unknown;
  /** Returns the message that a group without one of its own begins with. */
  readonly frameOf: (piece: Piece) => Fields;
}

/** Builds the format of a provider whose messages are lists of parts, in which calls and results are parts among others. */
export function contentFormat(rules: ContentRules): Format {
  const { key, argsOptional, readResult, idsOptional, opensWithUser, cutsAtUser, fitId, fitName, joins, healContent, withContent } = rules;
  return {
    resultsFollow: true,
    idsOptional,
    opensWithUser,
    cutsAtUser,
    fitId,
    fitName,
    joins,
    healContent,
    withContent,
    read: (message) => readMessage(message, rules),
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
      const frame = ownFrame(pieces, rules) ?? rules.frameOf(pieces[0] as Piece);
      return { ...frame, [key]: pieces.flatMap((piece) => writePiece(piece, rules)) };
    },
  };
}

/** Returns the first message that pieces come from, provided that it is one of the side that speaks now. */
function ownFrame(pieces: readonly Piece[], { sideOf }: ContentRules): Fields | undefined {
  for (const { side, source } of pieces) {
    const message = source.pieces > 0 ? fieldsOf(source.message) : undefined;
    if (message !== undefined && sideOf(message) === side) return message;
  }
  return undefined;
}

function writePiece(
  { parts, calls, result, changed, call }: Piece,
  { writeCall, writeRequest, writeResult, toTextPart }: ContentRules,
): unknown[] {
  if (result !== undefined) return changed && call !== undefined ? [writeResult(result, call)] : [result.part];
  const callOf = new Map(calls.map((each) => [each.part, each]));
  return parts.map((part) => {
    if (typeof part === 'string') return toTextPart(part);
    const own = changed ? callOf.get(part as Fields) : undefined;
    return own === undefined ? (writeRequest?.(part as Fields, calls) ?? part) : writeCall(part as Fields, own);
  });
}

function readMessage(
  message: Fields,
  { key, sideOf, readCall, readResult, heldBy, isVoid, isSubstance, endsWithSubstance }: ContentRules,
): readonly ReadPiece[] | undefined {
  const side = sideOf(message);
  const content = message[key];
  if (side === 'other') return [{ side, parts: [] }];
  // Without its content a message is void, unless it may be something else altogether.
  if (isBlank(content)) return content === undefined && Object.keys(message).length > 1 ? undefined : [];
  if (typeof content === 'string') return [{ side, parts: [content] }];
  if (!Array.isArray(content)) return undefined;
  // A copy of their own: what rules remember of siblings must not outlive this reading.
  const siblings: readonly unknown[] = [...content];
  const parts: unknown[] = [];
  const calls: StoredCall[] = [];
  const held: string[] = [];
  const pieces: ReadPiece[] = [];
  let changed = false;
  let mainAt = -1;
  let isSaid = false;
  for (const item of siblings) {
    const part = fieldsOf(item);
    if (part === undefined) return undefined;
    if (isVoid(part, siblings)) {
      changed = true;
      continue;
    }
    const result = readResult(part, side, siblings);
    if (result !== undefined) {
      pieces.push({ side: 'user', parts: [part], result: { ...result, part } });
      continue;
    }
    if (mainAt < 0) mainAt = pieces.push({ side, parts }) - 1;
    const call = side === 'model' ? readCall(part, siblings) : undefined;
    if (call !== undefined) calls.push({ ...call, part });
    const id = heldBy?.(part, siblings);
    if (id !== undefined) held.push(id);
    isSaid ||= call !== undefined || isSubstance(part);
    parts.push(part);
  }
  while (endsWithSubstance === true && isSaid && !isSubstance(parts.at(-1) as Fields)) {
    parts.pop();
    changed = true;
  }
  // Thoughts that led to nothing, and nothing else, are what an interrupted stream leaves behind.
  if (mainAt >= 0 && !isSaid) {
    pieces.splice(mainAt, 1);
    changed = true;
  } else if (mainAt >= 0) pieces[mainAt] = { side, parts, calls, held, changed };
  return changed ? pieces.map((piece) => ({ ...piece, changed: true })) : pieces;
}
