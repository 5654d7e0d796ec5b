import type { EventOf } from '../../events/index.ts';
import { cutText } from '../../json/index.ts';
import { type JsonObject, withoutAbsent } from '../../outcome/index.ts';
import type { CallProgress, GuardedCall, RunPlace } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import { askStore } from '../store-access/ask-store.ts';
import type { CallRegistry } from './call-registry.ts';

/** How often the last report is written, however many there are; a call that ends earlier writes none. */
const writeEveryMs = 500;
const maxText = 300;

/** Keeps the last report of a call with the call while it runs; returns the function that stops it. A store that fails costs the report. */
export function keepProgress({ ledger }: Pick<CallRegistry, 'ledger'>, call: GuardedCall, place: RunPlace): () => void {
  let last: CallProgress | undefined;
  let stopTimer: StopTimer | undefined;

  function write(): void {
    stopTimer = undefined;
    if (last === undefined) return;
    const progress = { v: 1, ...last } as unknown as JsonObject;
    last = undefined;
    void askStore(() => ledger.note(place, { progress }));
  }

  call.hear((event) => {
    if (event.type !== 'progress') return;
    last = toProgress(event);
    stopTimer ??= systemClock.after(writeEveryMs, write, { background: true });
  });
  return () => {
    stopTimer?.();
    last = undefined;
  };
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
export function readProgress(value: unknown): CallProgress | undefined {
  const { v, ...progress } = (value ?? {}) as { readonly v?: unknown } & Partial<CallProgress>;
  return v === 1 && typeof progress.at === 'string' ? (progress as CallProgress) : undefined;
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
