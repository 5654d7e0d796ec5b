import { type CallFilter, type ListedCall, ToolpactError } from 'toolpact';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { formatListedCall, formatRecordedCall } from '../../print/listed-call.ts';
import type { Given } from '../command.ts';
import { untilInterrupted } from '../until-stopped.ts';
import { followCalls } from './follow-calls.ts';
import { readKind } from './read-kind.ts';
import { type CallSource, withCalls } from './with-calls.ts';

/** Lists calls, follows them, or shows one. */
export async function runCalls(given: Given): Promise<number> {
  const filter = readFilter(given);
  return withCalls(given, (source) => show(given, filter, source));
}

async function show(given: Given, filter: CallFilter, source: CallSource): Promise<number> {
  const { words, flags, terminal } = given;
  const [id] = words;
  const isJson = flags.get('json') === true;
  if (id !== undefined) {
    const call = await source.calls.get(id);
    if (call === undefined) throw new CliError(`There is no recorded call ${id}.`, { fix: 'toolpact calls lists them.' });
    await terminal.out(isJson ? `${JSON.stringify(call, null, 2)}\n` : formatRecordedCall(call, terminal.outPaint));
    return exitCodes.done;
  }
  const print = (call: ListedCall): Promise<void> =>
    terminal.out(isJson ? `${JSON.stringify(call)}\n` : `${formatListedCall(call, terminal.outPaint)}\n`);
  if (flags.get('follow') === true) {
    await untilInterrupted(terminal, (signal) => followCalls(source, filter, print, signal));
    return exitCodes.done;
  }
  const page = await source.calls.list(filter).catch((thrown: unknown) => {
    if (filter.cursor !== undefined && isWrongCursor(thrown)) throw usageError('--cursor must be one that the previous page printed.');
    throw thrown;
  });
  if (isJson) await terminal.out(`${JSON.stringify(page, null, 2)}\n`);
  else for (const call of page.calls) await print(call);
  const isEmpty = page.calls.length === 0;
  if (!isJson && isEmpty) terminal.say(page.next === undefined ? 'No matching calls.\n' : 'No matches among the calls searched so far.\n');
  if (!isJson && page.next !== undefined) terminal.say(`More: the same command with --cursor ${page.next}\n`);
  return exitCodes.done;
}

function readFilter({ flags }: Given): CallFilter {
  const text = (name: string): string | undefined => flags.get(name) as string | undefined;
  const many = (name: string): readonly string[] | undefined => flags.get(name) as readonly string[] | undefined;
  const limit = text('limit');
  if (limit !== undefined && !/^(?:[1-9]\d{0,2}|1000)$/.test(limit)) throw usageError('--limit must be a whole number from 1 to 1000.');
  return {
    tool: many('tool'),
    status: many('status') as readonly ListedCall['status'][] | undefined,
    kind: many('kind')?.map(readKind),
    runId: text('run'),
    text: text('text'),
    since: readSince(text('since')),
    cursor: text('cursor'),
    limit: limit === undefined ? undefined : Number(limit),
  };
}

function isWrongCursor(thrown: unknown): boolean {
  return thrown instanceof ToolpactError && thrown.details?.argument === 'cursor';
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads a time, or how long ago: 30s, 10m, 2h, 1d. */
function readSince(given: string | undefined): string | number | undefined {
  if (given === undefined) return undefined;
  const [, count, unit] = /^(\d+)([smhd])$/.exec(given) ?? [];
  if (count !== undefined) return Date.now() - Number(count) * (units[unit ?? ''] ?? 0);
  if (Number.isNaN(Date.parse(given))) throw usageError(`--since must be a time or a span such as 10m, not ${JSON.stringify(given)}.`);
  return given;
}
