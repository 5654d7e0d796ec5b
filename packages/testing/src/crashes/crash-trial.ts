import { type AnyTool, type CallContext, createToolbox, defineTool, type Outcome } from 'toolpact';
import { planOf } from 'toolpact/extend';
import { sleep } from 'toolpact/internal';
import { memoryStore } from 'toolpact/stores/memory';
import { mortalStore } from './mortal-store.ts';

/** The misfortune of a step: its process dies before or after it acts, or the answer of the service is lost. */
export type Misfortune = 'dies before' | 'dies after' | 'answer lost';

/** One thing that goes wrong in a trial: the nth time that something acts. */
export interface Strike {
  /** The name of a step; `run` for a tool without steps, and for its end. */
  readonly at: string;
  readonly how: Misfortune;
}

/** Something that a tool did to the outside world. */
export interface Act {
  readonly name: string;
  /** Present where the tool took the key, so that a service can refuse to do it twice. */
  readonly key?: string;
}

/** The result of one trial. */
export interface TrialResult {
  readonly acts: readonly Act[];
  /** The last answer; absent where none came in time. */
  readonly outcome: Outcome | undefined;
  /** Whether the caller made the call more than once. */
  readonly isRepeated: boolean;
  /** How many of the strikes came. */
  readonly struck: number;
  /** All writing steps that began, in their order. */
  readonly begun: readonly string[];
}

export interface TrialParts {
  readonly tool: AnyTool;
  readonly input: unknown;
  /** Runs in place of its handler. */
  readonly fake: ((input: never, context: never) => unknown) | undefined;
  readonly context: CallContext;
  readonly timeoutMs: number;
}

type StepRun = (key: string, signal: AbortSignal) => unknown;
type AnyStep = (name: string, act: StepRun, options?: { readonly effects?: string }) => unknown;

const leaseMs = 10_000;
/** A caller that reads that it may try again does so this often. */
const mostCalls = 4;

/**
 * Makes one call as an agent would whose process dies: it is started again and makes the equal call. A failure that may be repeated is repeated;
 * one whose effect is not known is asked about once more, where the tool has a key, and otherwise left.
 */
export async function runTrial({ tool, input, fake, context, timeoutMs }: TrialParts, strikes: readonly Strike[]): Promise<TrialResult> {
  let aheadMs = 0;
  const shared = memoryStore({ now: () => Date.now() + aheadMs });
  const plan = planOf(tool);
  // The author's own handler: that of a plan with steps would make steps of its own.
  const stated = plan.guardOptions as unknown as Parameters<typeof defineTool>[0];
  const handler = fake ?? (stated.run as never as NonNullable<typeof fake>);
  const acts: Act[] = [];
  const begun: string[] = [];
  const left = [...strikes];
  let struck = 0;

  /** Lives until a strike ends it. */
  const startProcess = () => {
    const { store, die } = mortalStore(shared);
    const death = Promise.withResolvers<'died'>();
    const dieHere = (): Promise<never> => {
      struck += 1;
      die();
      death.resolve('died');
      return new Promise(() => undefined);
    };
    const takes = (at: string, how: Misfortune): boolean => {
      if (left[0]?.at !== at || left[0].how !== how) return false;
      left.shift();
      return true;
    };
    const acting = async (name: string, key: () => string | undefined, act: () => unknown): Promise<unknown> => {
      if (!begun.includes(name)) begun.push(name);
      if (takes(name, 'dies before')) return dieHere();
      const result = await act();
      const used = key();
      acts.push({ name, ...(used !== undefined && { key: used }) });
      if (takes(name, 'dies after')) return dieHere();
      if (!takes(name, 'answer lost')) return result;
      struck += 1;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    };
    const stepIn =
      (step: AnyStep): AnyStep =>
      (name, act, options) => {
        const isWatched = options?.effects !== 'none';
        const own: StepRun = (key, signal) =>
          isWatched
            ? acting(
                name,
                () => (act.length > 0 ? key : undefined),
                () => act(key, signal),
              )
            : act(key, signal);
        return step(name, own, options);
      };
    const watched = async (given: never, ctx: object): Promise<unknown> => {
      if (!plan.steps) {
        let key: string | undefined;
        const asked = proxied(ctx, 'idempotencyKey', (value) => {
          key = value as string | undefined;
          return value;
        });
        return acting(
          'run',
          () => key,
          () => handler(given, asked as never),
        );
      }
      const result = await handler(given, proxied(ctx, 'step', (step) => stepIn(step as AnyStep)) as never);
      return takes('run', 'dies after') ? dieHere() : result;
    };
    const twin = defineTool({ ...stated, run: watched as never });
    return { toolbox: createToolbox([twin], { store, calls: { leaseMs }, report: () => undefined }), death: death.promise };
  };

  let process = startProcess();
  let outcome: Outcome | undefined;
  let calls = 0;
  const isKeyed = plan.guardOptions.idempotency !== undefined;
  while (calls < mostCalls + strikes.length) {
    calls += 1;
    const { toolbox, death } = process;
    const asked = answer(toolbox, plan.name, input, { ...context, timeoutMs, callId: `call-${calls}` });
    const ended = await Promise.race([asked, death, sleep(timeoutMs + 1000).then(() => 'silent' as const)]);
    if (ended === 'silent') return { acts, outcome: undefined, isRepeated: calls > 1, struck, begun };
    if (ended === 'died') {
      // The caller hears nothing, and asks the process that takes the place of the dead one.
      aheadMs += leaseMs * 2;
      process = startProcess();
      continue;
    }
    outcome = ended;
    if (outcome.status !== 'error') break;
    const { retryable, effect } = outcome.error;
    const isWorthAsking = retryable || effect === 'none' || (effect === 'unknown' && isKeyed);
    if (!isWorthAsking || left.length + struck === 0 || calls > strikes.length + 1) break;
  }
  await shared.close();
  return { acts, outcome, isRepeated: calls > 1, struck, begun };
}

async function answer(
  toolbox: ReturnType<typeof createToolbox>,
  name: string,
  args: unknown,
  { callId, ...context }: CallContext & { readonly callId: string },
): Promise<Outcome> {
  const call = () => toolbox.answer({ name, args, callId }, context as CallContext<never>);
  let outcome = await call();
  if (outcome.status === 'pending' && outcome.pending.reason === 'approval') {
    await toolbox.approvals.decide(outcome.pending.handle, 'approve');
    outcome = await call();
  }
  if (outcome.status !== 'pending') return outcome;
  return toolbox.calls.wait(outcome.pending.handle, { timeoutMs: context.timeoutMs ?? 1000 });
}

/** Not a copy: a context keeps what belongs to its call in private fields. */
function proxied(context: object, name: string, change: (value: unknown) => unknown): object {
  return new Proxy(context, {
    get(target, key) {
      const value: unknown = Reflect.get(target, key, target);
      return key === name ? change(value) : value;
    },
  });
}
