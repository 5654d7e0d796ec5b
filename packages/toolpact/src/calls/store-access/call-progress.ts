import type { EventOf } from '../../events/index.ts';
import { cutText } from '../../json/index.ts';
import { withoutAbsent } from '../../outcome/index.ts';
import type { CallProgress, GuardedCall, Store } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import { askStore } from './ask-store.ts';

const space = 'call-progress';
/** How often the last report is written, however many there are; a call that ends earlier writes none. */
const writeEveryMs = 500;
const maxText = 300;
/** How long after the deadline of its call a record is kept that its process could not remove. */
const graceMs = 60_000;

/** The stores that keep the progress of a call: two guards may have the same one. */
const kept = new WeakMap<GuardedCall, Set<Store>>();

/** Keeps the last report of a call in the store while the call runs. A store that fails costs the report, not the call. */
export function keepProgress(store: Store, call: GuardedCall): void {
  const stores = kept.get(call) ?? new Set();
  if (stores.has(store)) return;
  kept.set(call, stores.add(store));
  const at = { space, tenant: call.tenantId, key: call.invocationId };
  let last: CallProgress | undefined;
  let stopTimer: StopTimer | undefined;
  let writing: Promise<unknown> | undefined;

  function write(): void {
    stopTimer = undefined;
    if (last === undefined) return;
    const [value, time] = [{ v: 1, progress: last }, Date.parse(last.at)];
    last = undefined;
    const record = { ...at, value: value as never, expiresAt: Date.now() + call.remainingMs + graceMs };
    writing = (writing ?? Promise.resolve()).then(() =>
      askStore(() => store.put({ ...record, index: { at: time, labels: [], row: value as never } })),
    );
  }

  call.hear((event) => {
    if (event.type !== 'progress') return;
    last = toProgress(event);
    stopTimer ??= systemClock.after(writeEveryMs, write, { background: true });
  });
  call.onEnd(() => {
    stopTimer?.();
    last = undefined;
    void writing?.then(() => askStore(() => store.remove(at)));
  });
}

/** Reads the progress of calls by their ids. What cannot be read is missing. */
export async function readProgress(store: Store, tenant: string, ids: readonly string[]): Promise<ReadonlyMap<string, CallProgress>> {
  if (ids.length === 0) return new Map();
  const answer = await askStore(async () => {
    const { find } = store;
    if (find !== undefined) return (await find({ space, tenant, keys: ids })).rows.map(({ key, row }) => ({ key, value: row }));
    const records = await Promise.all(ids.map(async (key) => store.get({ space, tenant, key })));
    return records.flatMap((record) => (record === undefined ? [] : [record]));
  });
  return new Map((answer.ok ? answer.value : []).flatMap(({ key, value }) => readValue(key, value)));
}

/** Says in words how far a call has come; empty where that is not known. */
export function progressText(progress: Pick<CallProgress, 'message' | 'percent'> | undefined): string {
  const parts = [
    ...(progress?.percent === undefined ? [] : [`${progress.percent} %`]),
    ...(progress?.message === undefined || progress.message === '' ? [] : [progress.message]),
  ];
  return parts.length === 0 ? '' : ` (${parts.join(': ')})`;
}

/** Believes a value only if it holds a report. */
function readValue(key: string, value: unknown): [string, CallProgress][] {
  const { v, progress } = (value ?? {}) as { readonly v?: unknown; readonly progress?: Partial<CallProgress> };
  return v === 1 && typeof progress?.at === 'string' ? [[key, progress as CallProgress]] : [];
}

function toProgress({ message, done, total, at }: EventOf<'progress'>): CallProgress {
  return withoutAbsent<CallProgress>({
    message: message === undefined ? undefined : cutText(String(message), maxText),
    percent: percentOf(done, total),
    done: Number.isFinite(done) ? done : undefined,
    total: Number.isFinite(total) ? total : undefined,
    at: new Date(at).toISOString(),
  } as CallProgress);
}

function percentOf(done: unknown, total: unknown): number | undefined {
  const share = Number(done) / Number(total);
  return Number(total) > 0 && share >= 0 ? Math.min(100, Math.round(share * 100)) : undefined;
}
