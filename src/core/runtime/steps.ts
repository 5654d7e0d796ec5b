import type { RunStep, StepOptions } from '../contract/index.ts';
import { type Effect, isOutcome, peek, ToolFailure, ToolpactError } from '../outcome/index.ts';
import { isInsideStep, runInsideStep } from './step-scope.ts';

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
  /** Tells whether another attempt would do nothing twice: what was done is remembered, or may be repeated. */
  readonly mayRepeat: () => boolean;
}

/** What steps need to know of their call. */
export interface SteppedCall {
  readonly tool: string;
  readonly context: { readonly tenantId?: string };
  readonly invocationId: string;
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;
  readonly outcome: unknown;
  readonly signal: AbortSignal;
  readonly guarded: { readonly fences: readonly (() => unknown)[] } | undefined;
}

/** A step that counts: how it ended, by what it did, or that it returned and is remembered. */
interface CountedStep {
  readonly idempotent: boolean;
  state: 'running' | 'returned' | Effect;
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
  let isEntering = false;

  function nextOccurrence(name: string): number {
    if (attempt !== call.attempts) begun.clear();
    attempt = call.attempts;
    const occurrence = (begun.get(name) ?? 0) + 1;
    begun.set(name, occurrence);
    return occurrence;
  }

  async function run<TResult>(name: string, fn: Parameters<RunStep>[1], options: StepOptions = {}): Promise<TResult> {
    checkStep(name, fn, options);
    if (isEntering || isInsideStep(call))
      throw new ToolpactError(
        'invalid_step',
        `the step "${name}" begins inside another step; steps follow each other or run side by side`,
        { step: name },
      );
    if (underWay.has(name))
      throw new ToolpactError('invalid_step', `the step "${name}" is still under way; give each its own name, such as \`${name}:\${id}\``, {
        step: name,
      });
    const occurrence = nextOccurrence(name);
    const id = `${occurrence}:${name}`;
    if (memory.has(id)) return memory.get(id) as TResult;
    underWay.add(name);
    try {
      const counts = options.effects !== 'none';
      if (counts) for (const check of call.guarded?.fences ?? []) await check();
      // Its caller was told that nothing happened after this moment, and may have repeated the call.
      if (call.outcome !== undefined) call.signal.throwIfAborted();
      const before = counted.get(id)?.state;
      const step: CountedStep = { idempotent: options.effects === 'idempotent', state: 'running' };
      if (counts) counted.set(id, step);
      const failed = (effect: Effect): void => {
        step.state = worseEffect(before === 'applied' || before === 'unknown' ? before : 'none', effect);
      };
      let result: unknown;
      try {
        result = await enter(() => fn(keyOf(call, name, occurrence), call.signal));
      } catch (thrown) {
        failed(statedEffect(thrown));
        throw thrown;
      }
      const effect = failedEffect(result);
      if (effect !== undefined) failed(effect);
      else {
        step.state = 'returned';
        memory.set(id, result);
      }
      return result as TResult;
    } finally {
      underWay.delete(name);
    }
  }

  /** Runs the function of a step so that a step begun inside it is recognised. */
  function enter(fn: () => unknown): unknown {
    isEntering = true;
    try {
      return runInsideStep(call, () => {
        try {
          return fn();
        } finally {
          isEntering = false;
        }
      });
    } finally {
      isEntering = false;
    }
  }

  return {
    run: run as RunStep,
    effect() {
      let effect: Effect = 'none';
      for (const { state } of counted.values()) effect = worseEffect(effectByState[state], effect);
      return effect;
    },
    mayRepeat: () => [...counted.values()].every(({ state, idempotent }) => state === 'returned' || state === 'none' || idempotent),
  };
}

const effectByState: Readonly<Record<CountedStep['state'], Effect>> = {
  running: 'unknown',
  returned: 'applied',
  none: 'none',
  applied: 'applied',
  unknown: 'unknown',
};

const stepEffects: readonly unknown[] = ['none', 'idempotent', 'writes', undefined];

function checkStep(name: unknown, fn: unknown, options: StepOptions): void {
  if (typeof name !== 'string' || name === '') throw new ToolpactError('invalid_step', 'a step needs a name');
  if (typeof fn !== 'function') throw new ToolpactError('invalid_step', `the step "${name}" needs a function`);
  const unknown = Object.keys(options).find((key) => key !== 'effects');
  if (unknown !== undefined)
    throw new ToolpactError('unknown_option', `the step "${name}" has the unknown option "${unknown}"`, { option: unknown });
  if (!stepEffects.includes(options.effects))
    throw new ToolpactError('invalid_option', `effects of the step "${name}" must be one of none, idempotent, writes`);
}

/** The same for the same step of the same call, however often it is tried; another one for every other. */
function keyOf({ context, tool, idempotencyKey, invocationId }: SteppedCall, name: string, occurrence: number): string {
  const parts = [context.tenantId, tool, idempotencyKey ?? invocationId, name, occurrence > 1 ? occurrence : undefined];
  return parts
    .filter((part) => part !== undefined)
    .map((part) => encodeURIComponent(part))
    .join('/');
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
