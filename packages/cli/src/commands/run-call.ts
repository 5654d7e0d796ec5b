import { text } from 'node:stream/consumers';
import type { ServedToolbox } from '@toolpact/server';
import type { CallContext, Outcome, Progress, ToolpactEvent } from 'toolpact';
import { createToolbox } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import { runContained } from 'toolpact/guards/contain-strays';
import { type Report, readExactly, type StopTimer, systemClock, toLogRecord } from 'toolpact/internal';
import { CliError, usageError } from '../cli-error.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { openStore } from '../load/open-store.ts';
import { ownLines } from '../load/own-frames.ts';
import { toolSource } from '../load/tool-source.ts';
import { closeToolbox, wireToolbox } from '../load/wire-toolbox.ts';
import { printOutcome } from '../print/print-outcome.ts';
import { plain, plainLine, type Terminal } from '../print/terminal.ts';
import { callServer } from './call-server.ts';
import { clientOf } from './calls/client-of.ts';
import { tenantOf } from './calls/tenant-of.ts';
import { withStore } from './calls/with-store.ts';
import type { Given } from './command.ts';
import { untilInterrupted } from './until-stopped.ts';

/** No call takes longer: its own deadline ends it long before. */
const longestMs = 86_400_000;

/** Calls one tool, here or through a server, and prints how it ended. */
export async function runCall(given: Given): Promise<number> {
  const { terminal, flags } = given;
  const { name, args } = await readCall(given);
  const client = clientOf(given);
  return untilInterrupted(terminal, async (signal) => {
    const context = contextOf(given, signal);
    const onProgress = (progress: Progress): void => sayProgress(progress, terminal);
    const outcome =
      client === undefined
        ? await callHere(given, name, args, context)
        : await callServer(client, String(flags.get('url')), name, args, { ...context, onProgress });
    await printOutcome(outcome, flags, terminal);
    return signal.aborted ? 130 : exitCodeOf(outcome);
  });
}

/** Reads what to call: the words of the command line, or a recorded call. */
async function readCall(given: Given): Promise<{ readonly name: string; readonly args: string }> {
  const { words, flags, terminal } = given;
  const again = flags.get('again') as string | undefined;
  const [name, written = '{}'] = words;
  if (again === undefined) {
    if (name === undefined) throw usageError('toolpact call needs <tool>.', 'toolpact call <tool> [json|-]');
    return { name, args: written === '-' ? await text(terminal.stdin) : written };
  }
  if (name !== undefined) throw usageError('With --again, tool and arguments come from the recorded call.');
  const recordedCall = await withStore(given, (store) =>
    createToolbox([], { store, report: () => undefined })
      .with(tenantOf(given))
      .calls.get(again),
  );
  if (recordedCall === undefined)
    throw new CliError(`There is no recorded call ${plainLine(again)}.`, { fix: 'toolpact calls lists them.' });
  if (!recordedCall.isWhole)
    throw new CliError('The recorded arguments are incomplete: secrets are redacted, and long values cut.', {
      fix: `toolpact call ${plainLine(recordedCall.tool)} <json>`,
    });
  return { name: recordedCall.tool, args: JSON.stringify(recordedCall.input) };
}

function callHere(given: Given, name: string, args: string, context: CallContext<never>): Promise<Outcome> {
  const { terminal, flags } = given;
  return withToolbox(given, context, async (toolbox) => {
    const call = () =>
      runContained(name, () =>
        toolbox.answer({ name, args: readExactly(args) }, { onProgress: (progress) => sayProgress(progress, terminal) }),
      );
    const outcome = await call();
    if (outcome.status !== 'pending' || outcome.pending.reason !== 'approval' || flags.get('approve') !== true) return outcome;
    await toolbox.approvals?.decide(outcome.pending.handle, 'approve', { by: 'command line' });
    return call();
  });
}

/** Runs something with the tools of this project, and waits for its end. */
export async function withToolbox(
  given: Given,
  context: CallContext<never>,
  run: (toolbox: ServedToolbox) => Promise<Outcome>,
): Promise<Outcome> {
  const { terminal, settings } = given;
  const loaded = await toolSource(given, []).load();
  const store = await openStore(settings.store, terminal.cwd);
  const onFailure: Report = ({ error, failure }) => {
    if (error?.stack === undefined) return;
    if (terminal.verbose) terminal.say(`${toLogRecord(error.stack)}\n`);
    // A bug, or an error that could not be read, shows its own lines to its author.
    else if (failure.kind === 'internal' || failure.kind === 'failed')
      for (const line of ownLines(error.stack, terminal.cwd)) terminal.say(`${terminal.paint('dim', plain(line))}\n`);
  };
  try {
    const toolbox = wireToolbox(loaded, settings, store, { onFailure, onEvent: createAttemptNotes(terminal) }).with(context);
    try {
      return await finish(toolbox, await run(toolbox), context.signal);
    } finally {
      await insideOf(toolbox).idle?.();
      await closeToolbox(toolbox);
    }
  } finally {
    await store.close();
  }
}

/** A call that was deferred goes on in this process, so this process has to stay. */
async function finish(toolbox: ServedToolbox, outcome: Outcome, signal: AbortSignal | undefined): Promise<Outcome> {
  if (outcome.status !== 'pending' || outcome.pending.reason !== 'running' || toolbox.calls === undefined) return outcome;
  return toolbox.calls.wait(outcome.pending.handle, { timeoutMs: longestMs, ...(signal && { signal }) });
}

/** How long a call may be silent after a failed attempt. */
const silenceMs = 100;

/** Says which attempt failed, if the call goes on: it may wait for long before it tries again. */
function createAttemptNotes({ say, paint }: Terminal): (event: ToolpactEvent) => void {
  let stop: StopTimer | undefined;
  return (event) => {
    if (event.type !== 'attempt-end' && event.type !== 'call-end') return;
    stop?.();
    if (event.type === 'call-end' || event.error === undefined) return;
    const { kind, retryAfterMs } = event.error;
    const wait = retryAfterMs === undefined ? '' : `, waiting ${Math.ceil(retryAfterMs / 1_000)} s`;
    stop = systemClock.after(silenceMs, () => say(`${paint('dim', `… attempt ${event.attempt} failed: ${kind}${wait}`)}\n`));
  };
}

/** Says how far a call is. */
export function sayProgress({ message, done, total }: Progress, { say, paint }: Terminal): void {
  const share = done === undefined ? [] : [total === undefined ? String(done) : `${done} of ${total}`];
  say(`${paint('dim', `… ${[...share, ...(message === undefined ? [] : [plainLine(message)])].join(', ')}`)}\n`);
}

function contextOf(given: Given, signal: AbortSignal): CallContext<never> {
  const idempotencyKey = given.flags.get('key') as string | undefined;
  return { signal, ...tenantOf(given), ...(idempotencyKey !== undefined && { idempotencyKey }) };
}
