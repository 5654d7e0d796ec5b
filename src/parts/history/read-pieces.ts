import { fieldsOf } from './fields.ts';
import type { Report } from './repair.ts';
import type { Format, Piece, ReadPiece, Source } from './transcript.ts';

/** Reads messages into pieces. A message that cannot be read is one opaque piece, which nothing will touch. */
export function readPieces(messages: readonly unknown[], format: Format, report?: Report): Piece[] {
  return messages.flatMap((message, index) => {
    const drafts = readSafely(message, format) ?? [{ side: 'other' as const, parts: [message] }];
    const source: Source = { message, index, pieces: drafts.length };
    if (drafts.length === 0 || drafts.some(({ changed }) => changed === true)) report?.({ type: 'dropped', index });
    return drafts.map((draft, place) => ({ calls: [], changed: false, ...draft, source, place }));
  });
}

function readSafely(message: unknown, format: Format): readonly ReadPiece[] | undefined {
  try {
    const fields = fieldsOf(message);
    return fields && format.read(fields);
  } catch {
    return undefined;
  }
}
