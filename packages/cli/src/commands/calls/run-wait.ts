import type { StoreMethods } from 'toolpact';
import { usageError } from '../../cli-error.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { printOutcome } from '../../print/print-outcome.ts';
import { plainLine } from '../../print/terminal.ts';
import type { Given } from '../command.ts';
import { untilInterrupted } from '../until-stopped.ts';
import { clientOf, foundIn } from './client-of.ts';
import { withCalls } from './with-calls.ts';

/** Waits for the outcome of a pending call and prints it. */
export async function runWait(given: Given): Promise<number> {
  const { words, flags, terminal } = given;
  const [handle = ''] = words;
  const seconds = Number(flags.get('seconds') ?? 30);
  if (!(seconds >= 0 && seconds <= 86_400)) throw usageError('--seconds must be a number from 0 to 86400.');
  return untilInterrupted(terminal, async (signal) => {
    const options = { timeoutMs: seconds * 1000, signal };
    const wait = async ({ wait, get }: Pick<StoreMethods['calls'], 'wait' | 'get'>): Promise<number> => {
      const outcome = await wait(handle, options);
      const asksPerson = outcome.status === 'pending' && outcome.pending.reason === 'approval';
      const isApproved = asksPerson && (await get(handle))?.approval?.state === 'approved';
      const next = isApproved ? '' : `To decide about it: toolpact approvals approve ${plainLine(handle)}, or deny.`;
      await printOutcome(outcome, flags, terminal, next);
      return signal.aborted ? 130 : exitCodeOf(outcome);
    };
    const client = clientOf(given);
    if (client === undefined) return withCalls(given, ({ calls }) => wait(calls));
    return wait({ wait: client.wait, get: async (id) => foundIn(await client.findCall(id)) });
  });
}
