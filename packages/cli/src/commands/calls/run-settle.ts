import { text } from 'node:stream/consumers';
import type { Settlement } from '@toolpact/server/client';
import { fail } from 'toolpact';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodeOf } from '../../exit-codes.ts';
import { printOutcome } from '../../print/print-outcome.ts';
import { plainLine } from '../../print/terminal.ts';
import type { Given } from '../command.ts';
import { withToolbox } from '../run-call.ts';
import { clientOf } from './client-of.ts';
import { readKind } from './read-kind.ts';
import { tenantOf } from './tenant-of.ts';

/** Returns a pending call its result, here or through a server, and prints what became of it. */
export async function runSettle(given: Given): Promise<number> {
  const { words, flags, terminal } = given;
  const [handle = ''] = words;
  const settlement = await readSettlement(given);
  // The call that asked goes on within this request; the user decides when to stop waiting.
  const outcome = await (clientOf(given)?.settle(handle, settlement, { timeoutMs: Number.POSITIVE_INFINITY }) ??
    withToolbox(given, tenantOf(given), (toolbox) => {
      if (toolbox.calls === undefined) throw new CliError('There is nothing to settle: these tools have no store.');
      return toolbox.calls.settle(handle, 'error' in settlement ? fail(settlement.error.kind, settlement.error.message) : settlement.data);
    }));
  const isGoingOn = outcome.status === 'pending' && outcome.pending.reason === 'running';
  await printOutcome(outcome, flags, terminal, `To decide about it: toolpact approvals approve ${plainLine(handle)}, or deny.`);
  if (isGoingOn) terminal.say(`The answer is stored. toolpact wait ${plainLine(outcome.pending.handle)} gives the result.\n`);
  return exitCodeOf(outcome);
}

async function readSettlement({ words, flags, terminal }: Given): Promise<Settlement> {
  const [, written] = words;
  const [message, kind] = [flags.get('fail'), flags.get('kind')] as (string | undefined)[];
  if (message !== undefined) {
    if (written !== undefined) throw usageError('Give a result or --fail, not both.');
    return { error: { kind: readKind(kind ?? 'denied'), message } };
  }
  if (kind !== undefined) throw usageError('--kind needs --fail.');
  if (written === undefined) throw usageError('toolpact settle needs a result, or --fail.', 'toolpact settle <handle> [json|-]');
  const resultText = written === '-' ? await text(terminal.stdin) : written;
  try {
    return { data: JSON.parse(resultText) };
  } catch {
    throw usageError(`The result must be JSON, not ${plainLine(resultText).slice(0, 60)}.`, 'Text is JSON too, in double quotes.');
  }
}
