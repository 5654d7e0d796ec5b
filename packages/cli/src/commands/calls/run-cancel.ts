import type { RecordedCall } from 'toolpact';
import { CliError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { plainLine } from '../../print/terminal.ts';
import type { Given } from '../command.ts';
import { type CallSource, withCalls } from './with-calls.ts';

/** A handler that hears no signal is left behind after a second; another process looks twice a second. */
const maxWaitMs = 5_000;

/** Stops a call, and says how it ended. */
export async function runCancel(given: Given): Promise<number> {
  return withCalls(given, ({ calls }) => stop(given, calls));
}

async function stop({ words, flags, terminal }: Given, calls: CallSource['calls']): Promise<number> {
  const [id = ''] = words;
  if (!(await calls.cancel(id))) {
    const call = await calls.get(id);
    const why = call === undefined ? 'There is no recorded call' : 'There is nothing to stop in the call';
    // One that runs would have been stopped.
    const state = call?.status === 'running' ? ', whose process died' : call && `, which is ${call.kind ?? call.status}`;
    throw new CliError(`${why} ${plainLine(id)}${state ?? ''}.`, {
      fix: 'toolpact calls --status running --status pending lists those that still run.',
    });
  }
  await calls.wait(id, { timeoutMs: maxWaitMs });
  const call = await calls.get(id);
  if (flags.get('json') === true) await terminal.out(`${JSON.stringify(call ?? { id }, null, 2)}\n`);
  else terminal.say(`${describe(call)}\n`);
  return exitCodes.done;
}

function describe(call: RecordedCall | undefined): string {
  if (call === undefined || call.status === 'running' || call.status === 'pending') return 'Asked to stop. It has not ended yet.';
  if (call.kind !== 'cancelled') return `It ended as ${call.kind ?? call.status} before it was stopped.`;
  const effects = {
    none: 'Nothing was changed.',
    applied: 'What it did before is not undone.',
    unknown: 'It may have taken effect: check before calling again.',
  };
  return `Cancelled. ${effects[call.effect ?? 'unknown']}`;
}
