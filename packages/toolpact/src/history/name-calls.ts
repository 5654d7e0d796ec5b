import type { Report } from './repair.ts';
import type { Format, Piece } from './transcript.ts';

/**
 * Gives every call an id that the provider accepts and no other call has, and a name and arguments that it accepts. The first call with an
 * id keeps it; the others get the same id with a number, so that the same list always gets the same ids.
 */
export function nameCalls(pieces: readonly Piece[], held: ReadonlySet<string>, format: Format, report: Report): void {
  const stored = new Set(pieces.flatMap(({ calls }) => calls.map(({ id }) => id)));
  const taken = new Set(held);
  const recorded = new Set<string>();
  const counts = new Map<string, number>();
  const longest = format.fitId('x'.repeat(100)).length;

  for (const piece of pieces) {
    const { index } = piece.source;
    for (const call of piece.calls) {
      const { id, name } = call;
      call.id = idFor(id);
      if (format.isNamed?.(call) !== false) call.name = format.fitName(name ?? '') || 'unnamed';
      taken.add(call.id);
      // Two calls have one id: the record could mean either.
      if (call.id !== id && id !== '' && !recorded.has(id)) call.recordedId = id;
      recorded.add(id);
      const isRenamed = call.id !== id || call.name !== name;
      if (isRenamed) report({ type: 'renamed', index, ...(call.id && { callId: call.id }) });
      call.healedArgs = format.healArgs(call);
      if (call.healedArgs !== undefined) report({ type: 'arguments', index, callId: call.id });
      piece.changed ||= isRenamed || call.healedArgs !== undefined;
    }
  }

  function idFor(id: string): string {
    if (id === '') return format.idsOptional ? '' : fresh('healed');
    const own = format.fitId(id);
    return taken.has(own) || (own !== id && stored.has(own)) ? fresh(own) : own;
  }

  function fresh(base: string): string {
    for (let count = counts.get(base) ?? 2; ; count += 1) {
      const suffix = `_${count}`;
      const id = base.slice(0, longest - suffix.length) + suffix;
      if (taken.has(id) || stored.has(id)) continue;
      counts.set(base, count + 1);
      return id;
    }
  }
}
