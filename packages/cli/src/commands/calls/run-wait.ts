import { usageError } from '../../cli-error.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { printOutcome } from '../../print/print-outcome.ts';
import { plainLine } from '../../print/terminal.ts';
import type { Given } from '../command.ts';
import { untilInterrupted } from '../until-stopped.ts';
import { withCalls } from './with-calls.ts';

/** Waits for the outcome of a pending call and prints it. */
export async function runWait(given: Given): Promise<number> {
  const { words, flags, terminal } = given;
  const [handle = ''] = words;
  const seconds = Number(flags.get('seconds') ?? 30);
  if (!(seconds >= 0 && seconds <= 86_400)) throw usageError('--seconds must be a number from 0 to 86400.');
  return untilInterrupted(terminal, (signal) =>
    withCalls(given, async ({ calls }) => {
      const outcome = await calls.wait(handle, { timeoutMs: seconds * 1000, signal });
      const asksPerson = outcome.status === 'pending' && outcome.pending.reason === 'approval';
      const isApproved = asksPerson && (await calls.get(handle))?.approval?.state === 'approved';
      const next = isApproved ? '' : `To decide about it: toolpact approvals approve ${plainLine(handle)}, or deny.`;
      await printOutcome(outcome, flags, terminal, next);
      return signal.aborted ? 130 : exitCodeOf(outcome);
    }),
  );
}
