import type { Observations } from '../observations.ts';
import type { Violation } from './violation.ts';

/** The writes that only the holder of an epoch makes. Settling, denying or cancelling a waiting call is done by another process. */
const own: ReadonlySet<string> = new Set(['stepBegin', 'stepEnd', 'wait', 'note']);
const given: ReadonlySet<string> = new Set(['begin', 'take', 'takeDue']);

/** One process has an epoch of a call; once there is a later one nothing is written under it, and the store says so. */
export function epochsHold({ writes }: Observations): Violation[] {
  const violations: Violation[] = [];
  const owners = new Map<string, string>();
  const latest = new Map<string, number>();
  for (const { name, row, epoch, process, at } of writes) {
    const run = `${row}@${epoch}`;
    const say = (message: string): unknown =>
      violations.push({ invariant: 'epochsHold', at, message: `${name} ${run} by ${process}: ${message}` });
    if (given.has(name)) {
      if (owners.has(run)) say(`${owners.get(run)} has that epoch`);
      owners.set(run, process);
      latest.set(row, Math.max(epoch, latest.get(row) ?? 0));
    } else if (own.has(name)) {
      if (owners.get(run) !== process) say(`${owners.get(run) ?? 'nobody'} has that epoch`);
      if (epoch < (latest.get(row) ?? 0)) say(`epoch ${latest.get(row)} has begun`);
    }
  }
  return violations;
}
