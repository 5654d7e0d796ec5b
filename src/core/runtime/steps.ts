import type { Effects, RunStep, StepOptions } from '../contract/index.ts';
import { peek } from '../json/index.ts';
import { type Effect, isOutcome, refuseOptions, ToolFailure, ToolpactError } from '../outcome/index.ts';
import { currentScope, runInScope } from './async-scope.ts';

/** Where the results of returned steps are kept. In one call a `Map` is enough; a durable call brings a memory that outlives its process. */
export interface StepMemory {
  readonly has: (id: string) => boolean;
  readonly get: (id: string) => unknown;
  readonly set: (id: string, result: unknown) => unknown;
}

/** The steps of one call, over all its attempts. */
export interface Steps {
  readonly run: RunStep;
  /** What the steps so far did to the outside world. */
  readonly effect: () => Effect;
  /** Checks whether another attempt would do nothing twice: what was done is remembered, or may be repeated. */
  readonly mayRepeat: () => boolean;
}

/** Runs a step, or gives what is remembered of it. */
export type RememberStep = (id: string, attempt: number, options: StepOptions, execute: () => unknown) => Promise<unknown>;

/** What steps need to know of their call. */
export interface SteppedCall {
  readonly tool: string;
  readonly context: { readonly tenantId?: string };
  readonly invocationId: string;
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;
  readonly outcome: unknown;
  readonly signal: AbortSignal;
  readonly guarded: { readonly fences: readonly ((step: string) => unknown)[]; readonly remember: RememberStep | undefined } | undefined;
}

/** A step that counts: what it did as far as is known, and whether its result is remembered. */
interface CountedStep {
  readonly idempotent: boolean;
  effect: Effect;
  kept: boolean;
}

const severity: readonly Effect[] = ['none', 'applied', 'unknown'];

/** Gives the worse of two effects; what is not stated counts as none. */
export function worseEffect(one: Effect | undefined, other: Effect): Effect {
  return one !== undefined && severity.indexOf(one) > severity.indexOf(other) ? one : other;
}

/** Makes `ctx.step` of one call, and remembers what its steps did. */
export function createSteps(call: SteppedCall, memory: StepMemory = new Map<string, unknown>()): Steps {
  const counted = new Map<string, CountedStep>();
  const underWay = new Set<string>();
  const begun = new Map<string, number>();
  let attempt = 0;

  function nextOccurrence(name: string): number {
    if (attempt !== call.attempts) begun.clear();
    attempt = call.attempts;
    const occurrence = (begun.get(name) ?? 0) + 1;
    begun.set(name, occurrence);
    return occurrence;
  }

  async function run<TResult>(name: string, fn: Parameters<RunStep>[1], options: StepOptions = {}): Promise<TResult> {
    checkStep(name, fn, options);
    const isInside = currentScope()?.step === call;
    if (isInside || underWay.has(name))
      throw new ToolpactError('invalid_step', `the step "${name}" ${isInside ? 'begins inside another step' : 'is still under way'}`);
    const occurrence = nextOccurrence(name);
    const id = `${occurrence}:${name}`;
    if (memory.has(id)) return memory.get(id) as TResult;
    underWay.add(name);
    try {
      const counts = options.effects !== 'none';
      if (counts) for (const check of call.guarded?.fences ?? []) await check(name);
      // The caller already has an outcome that does not count this step, and may have repeated the call.
      if (call.outcome !== undefined) call.signal.throwIfAborted();
      const before = counted.get(id)?.effect;
      const step: CountedStep = { idempotent: options.effects === 'idempotent', effect: 'unknown', kept: false };
      if (counts) counted.set(id, step);
      let result: unknown;
      try {
        const execute = () => runInScope({ ...currentScope(), step: call }, () => fn(keyOf(call, name, occurrence), call.signal));
        result = await (call.guarded?.remember?.(id, attempt, options, execute) ?? execute());
      } catch (thrown) {
        step.effect = worseEffect(before, statedEffect(thrown));
        throw thrown;
      }
      const failed = failedEffect(result);
      step.kept = failed === undefined;
      step.effect = failed === undefined ? 'applied' : worseEffect(before, failed);
      if (step.kept) memory.set(id, result);
      return result as TResult;
    } finally {
      underWay.delete(name);
    }
  }

  return {
    run: run as RunStep,
    effect: () => [...counted.values()].reduce<Effect>((worst, { effect }) => worseEffect(worst, effect), 'none'),
    mayRepeat: () => [...counted.values()].every(({ effect, kept, idempotent }) => kept || effect === 'none' || idempotent),
  };
}

/** What a tool or a step may do to the outside world. */
export const effectNames: readonly Effects[] = ['none', 'idempotent', 'writes'];

function checkStep(name: unknown, fn: unknown, options: StepOptions): void {
  const what = `the step "${String(name)}"`;
  if (typeof name !== 'string' || name === '' || typeof fn !== 'function')
    throw new ToolpactError('invalid_step', `${what} needs a name and a function`);
  refuseOptions(what, options, { effects: true });
  if (!effectNames.includes(options.effects ?? 'none'))
    throw new ToolpactError('invalid_option', `${what}: effects must be one of ${effectNames.join(', ')}`);
}

/** The same for the same step of the same call, however often it is tried; another one for every other. */
function keyOf({ context, tool, idempotencyKey, invocationId }: SteppedCall, name: string, occurrence: number): string {
  const parts = [tool, idempotencyKey ?? invocationId, name];
  if (context.tenantId !== undefined) parts.unshift(context.tenantId);
  if (occurrence > 1) parts.push(String(occurrence));
  return parts.map(encodeURIComponent).join('/');
}

/** Gives what a thrown failure states; anything else thrown by a step leaves it open. */
function statedEffect(thrown: unknown): Effect {
  const said = ToolFailure.isInstance(thrown) ? peek(peek(thrown, 'options'), 'effect') : undefined;
  return severity.includes(said as Effect) ? (said as Effect) : 'unknown';
}

/** Gives the effect of a result that is a failure; undefined for a result that counts as returned. */
function failedEffect(result: unknown): Effect | undefined {
  if (result instanceof Error || ToolFailure.isInstance(result)) return statedEffect(result);
  if (!isOutcome(result)) return undefined;
  if (result.status === 'error') return worseEffect(result.error.effect, 'none');
  return result.status === 'pending' ? 'unknown' : undefined;
}
