import type { EventOf } from '../../events/index.ts';
import { cutText } from '../../json/index.ts';
import { type JsonObject, withoutAbsent } from '../../outcome/index.ts';
import type { CallProgress, GuardedCall, RunPlace } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import type { CallRegistry } from '../call-registry.ts';
import { askStore } from '../store/ask-store.ts';

/** How often the last report is written, however many there are; a call that ends earlier writes none. */
const writeEveryMs = 500;
const maxText = 300;

/** The last report of a call, which is kept with it. */
export interface KeptProgress {
  /** Writes what was reported, and what will be, to this run. */
  readonly begin: (run: RunPlace) => void;
  readonly stop: () => void;
}

/** Keeps the last report of a call with the call while it runs. A store that fails costs the report. */
export function keepProgress({ ledger }: Pick<CallRegistry, 'ledger'>, call: GuardedCall): KeptProgress {
  let run: RunPlace | undefined;
  let last: CallProgress | undefined;
  let stopTimer: StopTimer | undefined;

  function write(at: RunPlace): void {
    stopTimer = undefined;
    if (last === undefined) return;
    const progress = { v: 1, ...last } as unknown as JsonObject;
    last = undefined;
    void askStore(() => ledger.note(at, { progress }));
  }

  function writeSoon(): void {
    const at = run;
    if (at !== undefined && last !== undefined) stopTimer ??= systemClock.after(writeEveryMs, () => write(at), { background: true });
  }

  call.hear((event) => {
    if (event.type !== 'progress') return;
    last = toProgress(event);
    writeSoon();
  });
  return {
    begin(at) {
      run = at;
      writeSoon();
    },
    stop() {
      run = undefined;
      stopTimer?.();
    },
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
