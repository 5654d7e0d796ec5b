import { type Ledger, answerCall, askLedger, isUnknown } from './answer-call.ts';
import { toText } from './fields.ts';
import { type Pairs, pairResults } from './pair-results.ts';
import type { Report } from './repair.ts';
import type { Format, Piece, Source, StoredCall, StoredResult } from './transcript.ts';

/** Puts the pieces of a conversation into an order the provider accepts, with an answer to every call. */
export function layOut(pieces: readonly Piece[], format: Format, ledger: Ledger | undefined, report: Report): readonly Piece[] {
  const pairs = pairResults(pieces, format);
  nameCalls(pieces, pairs.held, format, report);
  const notes = settleRepeats(pieces, pairs, format);
  const turns = answerTurns(pieces, pairs, format, ledger, report);
  const laid = format.resultsFollow ? followTurns(pieces, turns, notes, report) : keepPlaces(pieces, turns, notes, report);
  const kept = format.prune?.(laid) ?? laid;
  if (kept.length < laid.length) {
    const stays = new Set(kept);
    for (const piece of laid) if (!stays.has(piece)) report({ type: 'dropped', index: piece.source.index });
  }
  return kept;
}

/** Gives every call an id that the provider accepts and no other call has, and mends its arguments. */
function nameCalls(pieces: readonly Piece[], held: ReadonlySet<string>, format: Format, report: Report): void {
  const stored = new Set(pieces.flatMap(({ calls }) => calls.map(({ id }) => id)));
  const taken = new Set(held);
  const counts = new Map<string, number>();
  for (const piece of pieces) {
    for (const call of piece.calls) {
      const { id } = call;
      const own = id === '' ? '' : format.fitId(id);
      const isFree = own !== '' && !taken.has(own) && (own === id || !stored.has(own));
      if (isFree) call.id = own;
      else if (id !== '' || !format.idsOptional) call.id = freshId(own === '' ? 'healed' : own, format, counts, (each) => taken.has(each) || stored.has(each));
      taken.add(call.id);
      if (call.id !== id) report({ type: 'renamed', index: piece.source.index, callId: call.id });
      const healedArgs = format.healArgs(call);
      if (healedArgs !== undefined) report({ type: 'arguments', index: piece.source.index, callId: call.id });
      call.healedArgs = healedArgs;
      piece.changed ||= call.id !== id || healedArgs !== undefined;
    }
  }
}

function freshId(base: string, format: Format, counts: Map<string, number>, isTaken: (id: string) => boolean): string {
  for (let count = counts.get(base) ?? 2; ; count += 1) {
    const suffix = `_${count}`;
    const longest = format.fitId('x'.repeat(64)).length;
    const id = base.slice(0, longest - suffix.length) + suffix;
    if (isTaken(id)) continue;
    counts.set(base, count + 1);
    return id;
  }
}
