import { fieldsOf } from './fields.ts';
import type { Report } from './repair.ts';
import type { Format, Piece, ReadPiece, Source } from './transcript.ts';

/** Reads messages into pieces. A message that cannot be read is one opaque piece, which nothing will touch. */
export function readPieces(messages: readonly unknown[], format: Format, report?: Report): Piece[] {
  return messages.flatMap((message, index) => {
    const drafts = readSafely(message, format) ?? [{ side: 'other' as const, parts: [message] }];
    const source: Source = { message, index, pieces: drafts.length };
    if (drafts.length === 0 || drafts.some(({ changed }) => changed === true)) report?.({ type: 'dropped', index });
    return drafts.map((draft, place) => healed({ calls: [], changed: false, ...draft, source, place }, format, report));
  });
}

/** Returns a piece with a result that the provider takes. */
function healed(piece: Piece, { healContent, withContent }: Format, report: Report | undefined): Piece {
  const { result, source } = piece;
  if (result === undefined || result.approval !== undefined) return piece;
  try {
    const content = healContent(result);
    if (content === result.content) return piece;
    report?.({ type: 'content', index: source.index, ...(result.id && { callId: result.id }) });
    return { ...piece, changed: true, result: { ...result, content, part: withContent(result.part, content) } };
  } catch {
    return piece;
  }
}

function readSafely(message: unknown, format: Format): readonly ReadPiece[] | undefined {
  try {
    const fields = fieldsOf(message);
    return fields && format.read(fields);
  } catch {
    return undefined;
  }
}
