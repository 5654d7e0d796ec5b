import { cutText } from '../../json/index.ts';
import type { CallTrace, GuardedCall } from '../../ports/index.ts';

/** The most entries of each list, and the most characters of each text, that are kept. */
const maxEntries = 50;
const maxText = 300;

/** Traces of the calls in this process. */
export interface CallTraces {
  /** Begins to keep what happens within a call; gives what was kept so far. */
  readonly keep: (call: GuardedCall) => () => CallTrace;
  /** Returns what was kept so far of a call that runs here. */
  readonly soFar: (tenant: string, invocationId: string) => CallTrace | undefined;
}

/** Creates the traces, and shows those of calls that still run. */
export function createCallTraces(): CallTraces {
  const running = new Map<string, () => CallTrace>();
  const nameOf = (tenant: string, id: string): string => JSON.stringify([tenant, id]);
  return {
    keep(call) {
      const [name, traced, startedAt] = [nameOf(call.tenantId, call.invocationId), keepTrace(call), performance.now()];
      const soFar = (): CallTrace => ({ ...traced(), soFarMs: toMs(performance.now() - startedAt) });
      running.set(name, soFar);
      call.onEnd(() => running.get(name) === soFar && running.delete(name));
      return traced;
    },
    soFar: (tenant, id) => running.get(nameOf(tenant, id))?.(),
  };
}

function keepTrace(call: GuardedCall): () => CallTrace {
  const guards = call.keepDecisions();
  const [attempts, steps, progress]: [CallTrace['attempts'][number][], CallTrace['steps'][number][], CallTrace['progress'][number][]] = [
    [],
    [],
    [],
  ];
  const startedAt = performance.now();
  call.hear((event) => {
    const atMs = toMs(performance.now() - startedAt);
    if (event.type === 'step-start') {
      if (steps.length < maxEntries) steps.push({ step: short(event.step), atMs });
    } else if (event.type === 'step-end') {
      const name = short(event.step);
      const at = steps.findLastIndex(({ step, status }) => status === undefined && step === name);
      const { tookMs, status, replayed, error } = event;
      const failed = error && { kind: error.kind, message: short(error.message) };
      const openStep = steps[at];
      // A retry within this run is shown once.
      if (replayed && steps.some((other, index) => index < at && other.step === openStep?.step)) steps.splice(at, 1);
      else if (openStep !== undefined) steps[at] = { ...openStep, tookMs, status, ...failed, ...(replayed && { replayed }) };
    } else if (event.type === 'attempt-end') {
      const { attempt, tookMs, status, error } = event;
      const failed = error && { kind: error.kind, message: short(error.message) };
      if (attempts.length < maxEntries) attempts.push({ attempt, tookMs, endedAtMs: atMs, status, ...failed });
    } else if (event.type === 'progress') {
      const { message, done, total } = event;
      const report = { ...(message !== undefined && { message: short(message) }), ...(done !== undefined && { done }) };
      progress.push({ ...report, ...(total !== undefined && { total }), atMs });
      if (progress.length > maxEntries) progress.shift();
    }
  });
  return () => ({
    guards: guards.slice(0, maxEntries).map((guard) => ({ ...guard, atMs: toMs(guard.atMs), tookMs: toMs(guard.tookMs) })),
    attempts: [...attempts],
    steps: [...steps],
    progress: [...progress],
  });
}

function toMs(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** Shortens a text, so that its length never keeps the trace from being stored. */
function short(text: string): string {
  return cutText(text, maxText).replaceAll('\0', '\ufffd').toWellFormed();
}
