import type { Outcome } from '../../../../core/outcome/index.ts';
import { type DeferMethods, defer } from '../../../../parts/guards/index.ts';
import { usageError } from '../../cli-error.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { printOutcome } from '../../print/print-outcome.ts';
import { plainLine } from '../../print/terminal.ts';
import type { Given } from '../command.ts';
import { clientOf } from './client-of.ts';
import { withCalls } from './with-calls.ts';

/** Waits for the outcome of a pending call and prints it. */
export async function runWait(given: Given): Promise<number> {
  const { words, flags, terminal } = given;
  const [handle = ''] = words;
  const seconds = Number(flags.get('seconds') ?? 30);
  if (!(seconds >= 0 && seconds <= 86_400)) throw usageError('--seconds must be a number from 0 to 86400.');
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  try {
    const options = { timeoutMs: seconds * 1000, signal: stop.signal };
    const client = clientOf(given);
    const outcome = await (client?.wait(handle, options) ??
      withCalls<Pick<DeferMethods, 'wait'>, Outcome>(given, { guards: (store) => [defer({ store })], methods: ['wait'] }, ({ wait }) =>
        wait(handle, options),
      ));
    await printOutcome(outcome, flags, terminal, `To decide about it: toolpact approvals approve ${plainLine(handle)}, or deny.`);
    return stop.signal.aborted ? 130 : exitCodeOf(outcome);
  } finally {
    process.off('SIGINT', onInterrupt);
  }
}
