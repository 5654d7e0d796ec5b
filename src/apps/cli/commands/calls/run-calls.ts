import { ToolpactError } from '../../../../core/outcome/index.ts';
import { sleep } from '../../../../core/time/index.ts';
import { type CallFilter, type CallPage, journal, type ListedCall, type RecordedCall } from '../../../../parts/guards/index.ts';
import { CliError, usageError } from '../../cli-error.ts';
import { exitCodes } from '../../exit-codes.ts';
import { formatListedCall, formatRecordedCall } from '../../print/listed-call.ts';
import type { Terminal } from '../../print/terminal.ts';
import type { Given } from '../command.ts';
import { clientOf, dataOf, foundIn } from './client-of.ts';
import { withCalls } from './with-calls.ts';
import { readKind } from './with-store.ts';

/** Where calls are read: a store, the toolbox of the project, or a server. */
interface CallSource {
  readonly calls: (filter: CallFilter) => Promise<CallPage>;
  readonly findCall: (id: string) => Promise<RecordedCall | undefined>;
}

const followEveryMs = 500;
/** A record is written a little after its call began. */
const overlapMs = 5_000;

/** Lists calls, follows them, or shows one. */
export async function runCalls(given: Given): Promise<number> {
  const filter = readFilter(given);
  const client = clientOf(given);
  if (client !== undefined) {
    return show(given, filter, {
      calls: async (asked) => dataOf(await client.calls(asked)),
      findCall: async (id) => foundIn(await client.findCall(id)),
    });
  }
  return withCalls<CallSource, number>(given, { guards: (store) => [journal({ store })], methods: ['calls', 'findCall'] }, (source) =>
    show(given, filter, source),
  );
}

async function show(given: Given, filter: CallFilter, source: CallSource): Promise<number> {
  const { words, flags, terminal } = given;
  const [id] = words;
  const isJson = flags.get('json') === true;
  if (id !== undefined) {
    const call = await source.findCall(id);
    if (call === undefined) throw new CliError(`There is no recorded call ${id}.`, { fix: 'toolpact calls lists them.' });
    await terminal.out(isJson ? `${JSON.stringify(call, null, 2)}\n` : formatRecordedCall(call, terminal.outPaint));
    return exitCodes.done;
  }
  if (flags.get('follow') === true) return follow(source, filter, terminal, isJson);
  const page = await source.calls(filter).catch((thrown: unknown) => {
    if (filter.cursor !== undefined && isWrongCursor(thrown)) throw usageError('--cursor must be what the page before says.');
    throw thrown;
  });
  if (isJson) await terminal.out(`${JSON.stringify(page, null, 2)}\n`);
  else await print(page.calls, terminal, false);
  const isEmpty = page.calls.length === 0;
  if (!isJson && isEmpty)
    terminal.say(page.next === undefined ? 'No calls are recorded that fit.\n' : 'None of the calls that were searched fit.\n');
  if (!isJson && page.next !== undefined) terminal.say(`More: the same command with --cursor ${page.next}\n`);
  return exitCodes.done;
}

/** Prints calls as they begin and end, until Ctrl-C. */
async function follow(source: CallSource, filter: CallFilter, terminal: Terminal, isJson: boolean): Promise<number> {
  const stop = new AbortController();
  const onInterrupt = (): void => stop.abort();
  process.once('SIGINT', onInterrupt);
  const seen = new Map<string, ListedCall['status']>();
  let since: string | number = filter.since ?? Date.now();
  while (!stop.signal.aborted) {
    const lookedAt = Date.now();
    const { calls } = await source.calls({ ...filter, since, limit: 1000 });
    const changed = calls.filter(({ id, status }) => seen.get(id) !== status).reverse();
    for (const { id, status } of changed) seen.set(id, status);
    await print(changed, terminal, isJson);
    // Calls that still run are looked at again.
    const running = calls.filter(({ status }) => status === 'running').map(({ begunAt }) => Date.parse(begunAt));
    since = Math.min(lookedAt - overlapMs, ...running);
    await sleep(followEveryMs, stop.signal);
  }
  process.off('SIGINT', onInterrupt);
  return exitCodes.done;
}

async function print(calls: readonly ListedCall[], terminal: Terminal, isJson: boolean): Promise<void> {
  for (const call of calls) await terminal.out(isJson ? `${JSON.stringify(call)}\n` : `${formatListedCall(call, terminal.outPaint)}\n`);
}

function readFilter({ flags }: Given): CallFilter {
  const text = (name: string): string | undefined => flags.get(name) as string | undefined;
  const many = (name: string): readonly string[] | undefined => flags.get(name) as readonly string[] | undefined;
  const limit = text('limit');
  if (limit !== undefined && !/^[1-9]\d{0,3}$/.test(limit)) throw usageError('--limit must be a whole number from 1 to 1000.');
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
