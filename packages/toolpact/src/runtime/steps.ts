import { classify } from '../classify/index.ts';
import { type Effects, noTenant, type RunStep, type StepOptions, type StepRunContext } from '../contract/index.ts';
import { isThenable, peek, takePromise } from '../json/index.ts';
import { type Effect, fail, isOutcome, refuseOptions, ToolFailure, ToolpactError } from '../outcome/index.ts';
import type { CallMemory, StepEnd, StepEntry } from '../ports/index.ts';
import { sleep } from '../time/index.ts';
import { currentScope, runInScope } from './async-scope.ts';

type GivenSteps = Pick<StepRunContext, 'step' | 'sleep' | 'waitFor'>;

/** The steps of one call, over all its attempts. */
export interface Steps {
  /** Returns what the handler of one attempt is given, of use until that attempt or the call is over. */
  readonly begin: (isOver: () => boolean) => GivenSteps;
  /** The effect of the steps so far. */
  readonly effect: () => Effect;
  /** Checks whether another attempt would do nothing twice: what was done is remembered, or may be repeated. */
  readonly mayRepeat: () => boolean;
}

/** The facts about a step that has begun. */
export interface BegunStep extends Omit<StepEntry, 'reconcile' | 'maxChars' | 'toFailure'> {
  readonly options: StepOptions;
}

/** Runs the function of a step one time, with the signal of its call or another one. Never rejects. */
export type StepTry = (signal?: AbortSignal) => Promise<StepEnd>;

/** Runs the steps of a guarded call. `toLocalRun` makes one with `step` alone, `toDurableRun` one with all members. */
export interface StepRun extends Pick<CallMemory, 'callName'>, Partial<Pick<StepRunContext, 'sleep' | 'waitFor'>> {
  /** `execute` begins the step and runs it as `runs` says. @default once */
  readonly step: (step: BegunStep, execute: (runs?: (tryOnce: StepTry) => Promise<StepEnd>) => Promise<StepEnd>) => Promise<StepEnd>;
  /** Runs the handler, until it returns, sleeps or waits. */
  readonly run?: (handler: () => unknown) => unknown;
  readonly effect?: () => Effect;
}

/** The parts of a call that its steps read. */
interface SteppedCall {
  readonly tool: string;
  readonly context: { readonly tenantId?: string };
  readonly invocationId: string;
  readonly idempotencyKey: string | undefined;
  readonly attempts: number;
  readonly outcome: unknown;
  readonly signal: AbortSignal;
  readonly remainingMs: number;
  readonly guarded: { readonly memory: StepRun | undefined } | undefined;
  steps: Steps | undefined;
  readonly warn: (text: string) => void;
}

type Run = (input: never, context: never) => unknown;

/** A step that counts: what it did as far as is known, and whether its result is remembered. */
interface CountedStep {
  readonly effect: Effect;
  /** Whether its result is remembered, or it may be repeated. */
  readonly isSafe: boolean;
}

const severity: readonly Effect[] = ['none', 'applied', 'unknown'];

/** Returns the worse of two effects; what is not stated counts as none. */
export function worseEffect(one: Effect | undefined, other: Effect): Effect {
  return severity.indexOf(one as Effect) > severity.indexOf(other) ? (one as Effect) : other;
}

/** Gives a handler its steps, and what remembers them. */
export function runStepped(run: Run): Run {
  return (input, context) => {
    const call: SteppedCall = context;
    const memory = call.guarded?.memory;
    call.steps ??= createSteps(call, memory);
    let isOver = false;
    const end = (): void => {
      isOver = true;
    };
    const given = call.steps.begin(() => isOver || call.outcome !== undefined);
    // Each attempt has a context of its own: what an earlier one left behind must not act in its place.
    const own = new Proxy(call, { get: (_, key) => given[key as 'step'] ?? call[key as never] });
    const handler = (): unknown => run(input, own as never);
    let value: unknown;
    try {
      value = memory?.run ? memory.run(handler) : handler();
      // Once: some begin their work when `then` is called.
      if (isThenable(value)) value = Promise.resolve(value);
      return value;
    } finally {
      if (value instanceof Promise) value.then(end, end);
      else end();
    }
  };
}

/** Makes `ctx.step`, `ctx.sleep` and `ctx.waitFor` of one call, and remembers what its steps did. */
function createSteps(call: SteppedCall, memory: StepRun | undefined): Steps {
  const remember: StepRun['step'] = memory?.step ?? ((_, execute) => execute());
  const counted = new Map<string, CountedStep>();

  function begin(isOver: () => boolean): GivenSteps {
    const { attempts: attempt } = call;
    const underWay = new Set<string>();
    const begun = new Map<string, number>();

    // The caller already has an outcome that does not count what begins now, or another attempt does it.
    const assertGoesOn = (): void => {
      if (!isOver()) return;
      call.signal.throwIfAborted();
      throw new ToolpactError('invalid_step', `${call.tool} has ended and begins nothing more; wait for each step before \`run\` returns`);
    };
    const offered = <TGiven extends (...given: never[]) => Promise<unknown>>(fn: TGiven): TGiven =>
      ((...given) => {
        const begun = (async () => {
          assertGoesOn();
          return fn(...given);
        })();
        // The tool may wait for something else when it fails.
        takePromise(begun);
        return begun;
      }) as TGiven;

    async function step(name: string, fn: Parameters<RunStep>[1], options: StepOptions = {}): Promise<unknown> {
      checkStep(name, fn, options);
      const { effects = 'writes', retry, timeoutMs } = options;
      assertOutsideStep(call, `the step "${name}"`);
      if (underWay.has(name)) {
        const way = `steps that run at once need names of their own, such as \`${name}:\${id}\``;
        throw new ToolpactError('invalid_step', `the step "${name}" is still under way; ${way}`);
      }
      const occurrence = (begun.get(name) ?? 0) + 1;
      begun.set(name, occurrence);
      const id = `${occurrence}:${name}`;
      const key = keyOf(call, name, occurrence);
      const before = counted.get(id)?.effect;
      const count = (effect: Effect, kept: boolean): unknown =>
        effects !== 'none' && counted.set(id, { effect, isSafe: kept || effects === 'idempotent' });
      const tryOnce: StepTry = async (signal = call.signal) => {
        try {
          const value = await runInScope({ ...currentScope(), step: call }, () => fn(key, signal));
          const effect = failedEffect(value);
          return { value, failed: effect !== undefined, effect: effect ?? 'applied' };
        } catch (thrown) {
          return { thrown, failed: true, effect: thrownEffect(thrown) };
        }
      };
      // Known as soon as the function has ended, whether that is recorded yet or not.
      const note = (end: StepEnd, kept: boolean): StepEnd => {
        count(end.failed ? worseEffect(before, end.effect) : 'applied', kept);
        return end;
      };
      if (memory === undefined && (retry !== undefined || timeoutMs !== undefined))
        call.warn(`the step "${name}" states retry or timeoutMs, which count only in a toolbox with guards or an engine`);
      underWay.add(name);
      try {
        const ended = await remember({ id, name, occurrence, effects, key, attempt, options }, async (runs = (run) => run()) => {
          assertGoesOn();
          count('unknown', false);
          return note(await runs(tryOnce), false);
        });
        note(ended, !ended.failed);
        if ('thrown' in ended) throw ended.thrown;
        return ended.value;
      } finally {
        underWay.delete(name);
      }
    }

    return {
      step: offered(step as RunStep),
      sleep: offered(async (ms) => {
        // Without a memory the call ends at its deadline, and nothing keeps the process after that.
        if (!(ms >= 0)) throw new ToolpactError('invalid_step', 'ctx.sleep takes a number of milliseconds, at least 0');
        assertOutsideStep(call, 'ctx.sleep');
        await (memory?.sleep?.(ms) ?? sleep(Math.min(ms, call.remainingMs + 1), call.signal));
        call.signal.throwIfAborted();
      }),
      waitFor: offered(async (name, schema, options) => {
        assertOutsideStep(call, `ctx.waitFor("${name}")`);
        if (memory?.waitFor === undefined)
          throw fail('not_configured', `${call.tool} waits for "${name}", which needs the journal guard or an engine.`);
        return memory.waitFor(name, schema, options);
      }),
    };
  }

  return {
    begin,
    effect: () => [...counted.values()].reduce((worst, { effect }) => worseEffect(worst, effect), memory?.effect?.() ?? 'none'),
    mayRepeat: () => counted.size > 0 && [...counted.values()].every(({ effect, isSafe }) => isSafe || effect === 'none'),
  };
}

/** Throws for what begins inside a step of a call: only what lies beside the steps can be remembered. */
function assertOutsideStep(call: object, what: string): void {
  if (currentScope()?.step === call)
    throw new ToolpactError('invalid_step', `${what} begins inside another step; begin it in \`run\` itself, after that step has ended`);
}

/** The values of `effects`, of a tool or a step. */
export const allEffects: readonly Effects[] = ['none', 'idempotent', 'writes'];

function checkStep(name: unknown, fn: unknown, options: StepOptions): void {
  // The key of a step is a part of a URL, which half of a character cannot be.
  if (typeof name !== 'string' || name === '' || !name.isWellFormed())
    throw new ToolpactError('invalid_step', `a step needs a name: a text that is not empty, not ${JSON.stringify(name) ?? typeof name}`);
  if (typeof fn !== 'function') throw new ToolpactError('invalid_step', `the step "${name}" needs a function`);
  refuseOptions(`the step "${name}"`, options, { effects: allEffects, timeoutMs: 'a number above 0', retry: true, reconcile: true });
}

/** The same for the same step of the same call, however often it is tried; another one for every other. */
function keyOf({ context, tool, guarded, idempotencyKey, invocationId }: SteppedCall, name: string, occurrence: number): string {
  const call = guarded?.memory?.callName ?? idempotencyKey ?? invocationId;
  // The journal states the tenant of a call that it runs again; without one it is the same key as before.
  const tenant = context.tenantId === noTenant ? undefined : context.tenantId;
  const parts = [tenant, tool, call, name, occurrence > 1 ? occurrence : undefined];
  return parts.flatMap((part) => (part === undefined ? [] : encodePart(part))).join('/');
}

/** Writes a text as a part of a URL. Callers may give any key, and half of a character is none that a URL has. */
function encodePart(part: string | number): string {
  if (typeof part === 'number' || part.isWellFormed()) return encodeURIComponent(part);
  const [halves, pieces] = [part.match(/\p{Surrogate}/gu) ?? [], part.split(/\p{Surrogate}/u)];
  return pieces.map((piece, place) => `${encodeURIComponent(piece)}${toEscape(halves[place])}`).join('');
}

/** Escapes half of a character as nothing else is. */
function toEscape(half: string | undefined): string {
  return half === undefined ? '' : `%u${half.charCodeAt(0).toString(16)}`;
}

/** Returns the effect that a failure states; undefined for anything else. */
export function statedBy(thrown: unknown): Effect | undefined {
  const said = ToolFailure.isInstance(thrown) && peek(peek(thrown, 'options'), 'effect');
  return severity.find((effect) => effect === said);
}

/** Returns the effect of a step that threw: what is stated, nothing where it was refused, otherwise unknown. */
function thrownEffect(thrown: unknown): Effect {
  return classify(thrown, { effect: 'unknown', during: 'run' }).effect;
}

/** Returns the effect of a result that is a failure; undefined for a result that counts as returned. */
function failedEffect(result: unknown): Effect | undefined {
  if (result instanceof Error || ToolFailure.isInstance(result)) return thrownEffect(result);
  if (!isOutcome(result)) return undefined;
  if (result.status === 'error') return worseEffect(result.error.effect, 'none');
  return result.status === 'pending' ? 'unknown' : undefined;
}
