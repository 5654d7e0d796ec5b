import { runContained } from 'toolpact/guards/contain-strays';
import { CliError } from '../../cli-error.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { printOutcome } from '../../print/print-outcome.ts';
import type { Given } from '../command.ts';
import { sayProgress, withToolbox } from '../run-call.ts';
import { untilInterrupted } from '../until-stopped.ts';
import { clientOf } from './client-of.ts';
import { tenantOf } from './tenant-of.ts';

/** Runs a failed call again from one of its steps, here or through a server, and prints how it ended. */
export async function runRerun(given: Given): Promise<number> {
  const { words, flags, terminal } = given;
  const [id = ''] = words;
  const from = flags.get('from') as string | undefined;
  const options = from === undefined ? {} : { from };
  return untilInterrupted(terminal, async (signal) => {
    // The user decides when to stop waiting.
    const outcome = await (clientOf(given)?.rerun(id, { ...options, signal, timeoutMs: Number.POSITIVE_INFINITY }) ??
      withToolbox(given, { ...tenantOf(given), signal }, (toolbox) => {
        const { calls } = toolbox;
        if (calls === undefined)
          throw new CliError('There is nothing to run again: the toolbox that your file exports has no store.', {
            fix: 'Give it one: createToolbox(tools, { store }).',
          });
        return runContained('rerun', () => calls.rerun(id, options, { onProgress: (progress) => sayProgress(progress, terminal) }));
      }));
    await printOutcome(outcome, flags, terminal);
    return signal.aborted ? 130 : exitCodeOf(outcome);
  });
}
