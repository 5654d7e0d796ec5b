import type { ObservedRun, ObservedStep } from './observations.ts';
import type { Mood, Outside } from './outside.ts';
import type { SimulatedProcess } from './process.ts';
import type { Random } from './random.ts';
import type { Scheduler } from './scheduler.ts';

/** The subject of a call. Calls of a keyed tool with one id are one call. */
export interface ToolInput {
  readonly id: string;
  /** How much it is about: people who approve calls may change that. */
  readonly size?: number;
}

/** How large calls are that need an approval. */
export const usualSize = 10;

/** Facts about a tool, for the invariants. */
export interface ToolFacts {
  readonly isKeyed: boolean;
  /** Whether it is recorded before it runs. */
  readonly isPromised: boolean;
  /** The steps that change the outside world. A tool without `steps` has one, `run`, for its handler. */
  readonly writes: readonly string[];
  readonly steps: boolean;
  readonly needsApproval: boolean;
  readonly canReconcile: boolean;
  /** Whether it changes the outside world beside steps, so that nothing is asked before it does. */
  readonly writesBeside: boolean;
}

/** How one part of a tool's work goes. */
type Part =
  | { readonly step: string; readonly effects?: 'none' | 'idempotent'; readonly reconciles?: true; readonly retries?: true }
  | { readonly sleepMs: number }
  | { readonly waitFor: string }
  | { readonly atOnce: readonly string[] }
  | { readonly beside: string; readonly effects: 'none' | 'idempotent' | 'writes' };

interface Plan {
  readonly about: string;
  readonly isKeyed?: true;
  readonly steps?: true;
  readonly approval?: true;
  readonly preview?: true;
  readonly canReconcile?: true;
  readonly effects?: 'none' | 'idempotent';
  readonly deferAfterMs?: number;
  readonly timeoutMs?: number;
  readonly parts: readonly Part[];
}

const plans = {
  look: { about: 'reads and needs no memory', effects: 'none', parts: [{ beside: 'run', effects: 'none' }] },
  store: { about: 'a key, may be repeated', isKeyed: true, effects: 'idempotent', parts: [{ beside: 'run', effects: 'idempotent' }] },
  pay: { about: 'a key, no steps', isKeyed: true, parts: [{ beside: 'run', effects: 'writes' }] },
  transfer: {
    about: 'a key, steps, and a tool that can say what became of it',
    isKeyed: true,
    steps: true,
    canReconcile: true,
    parts: [{ step: 'find', effects: 'none' }, { step: 'send' }],
  },
  order: {
    about: 'steps of every kind, without a key',
    steps: true,
    parts: [{ step: 'price', effects: 'none' }, { step: 'charge' }, { step: 'pack', effects: 'idempotent' }, { step: 'ship' }],
  },
  gather: {
    about: 'a step that may be repeated, and steps at once',
    steps: true,
    parts: [{ step: 'open', effects: 'idempotent' }, { atOnce: ['left', 'right'] }, { step: 'join' }],
  },
  book: {
    about: 'a key, and a sleep between two steps',
    isKeyed: true,
    steps: true,
    parts: [{ step: 'hold' }, { sleepMs: 1500 }, { step: 'confirm' }],
  },
  nap: {
    about: 'a sleep between two steps, without a key',
    steps: true,
    parts: [{ step: 'first' }, { sleepMs: 1200 }, { step: 'second' }],
  },
  ask: { about: 'asks in its middle', steps: true, parts: [{ step: 'reserve' }, { waitFor: 'day' }, { step: 'buy', reconciles: true }] },
  askKeyed: {
    about: 'a key, and a question',
    isKeyed: true,
    steps: true,
    parts: [{ waitFor: 'seat' }, { step: 'sit' }],
  },
  refund: {
    about: 'an approval, a preview and steps',
    steps: true,
    approval: true,
    preview: true,
    parts: [{ step: 'check', effects: 'none' }, { step: 'refund' }],
  },
  erase: { about: 'an approval, without steps', approval: true, parts: [{ beside: 'run', effects: 'writes' }] },
  grant: {
    about: 'an approval, a key and steps',
    isKeyed: true,
    steps: true,
    approval: true,
    parts: [{ step: 'grant' }, { sleepMs: 700 }, { step: 'tell' }],
  },
  ship: { about: 'one step that writes', steps: true, parts: [{ step: 'ship' }] },
  render: {
    about: 'runs on after its caller was told that it takes longer',
    effects: 'none',
    deferAfterMs: 20,
    parts: [{ beside: 'run', effects: 'none' }],
  },
  send: { about: 'runs on, and has steps', steps: true, deferAfterMs: 20, parts: [{ step: 'write' }, { step: 'post', retries: true }] },
} as const satisfies Record<string, Plan>;

/** The tools of the simulated processes. */
export type ToolName = keyof typeof plans;

export const toolNames = Object.keys(plans) as readonly ToolName[];

const listed = plans as Record<string, Plan>;

/** Returns what invariants know of a tool. */
export function factsOf(tool: string): ToolFacts {
  const { isKeyed = false, steps = false, approval = false, canReconcile = false, parts } = listed[tool] as Plan;
  const writes = parts.flatMap((part) => {
    if ('atOnce' in part) return part.atOnce;
    if ('beside' in part) return part.effects === 'none' ? [] : [part.beside];
    return 'step' in part && part.effects !== 'none' ? [part.step] : [];
  });
  const writesBeside = parts.some((part) => 'beside' in part && part.effects === 'writes');
  return { isKeyed, isPromised: isKeyed || steps || approval, steps, needsApproval: approval, canReconcile, writes, writesBeside };
}

/** The part of a run that its tools use. */
export interface ToolWorld {
  readonly outside: Outside;
  readonly scheduler: Scheduler;
  /** Draws how services behave: by call, step and try, so that it does not depend on what happened meanwhile. */
  readonly random: Random;
  readonly isFaulty: boolean;
  /** How often each step of each call was tried, in all processes. */
  readonly tries: Map<string, number>;
  /** The present plans of calls with a preview, by subject. */
  readonly plans: ReadonlyMap<string, number>;
  /** A later version of the tools, in which steps have other names. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Runs at the beginning of each handler, in scenarios. */
  readonly onRun?: (run: ObservedRun, process: SimulatedProcess) => Promise<void>;
}

interface RunningContext {
  readonly callId?: string;
  readonly invocationId: string;
  readonly signal: AbortSignal;
  readonly step: (name: string, fn: (key: string) => Promise<unknown>, options?: object) => Promise<unknown>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly waitFor: (name: string, schema: object) => Promise<unknown>;
}

/** Makes the tools of one process. */
export function createTools(process: SimulatedProcess, world: ToolWorld) {
  return Object.entries(listed).map(([name, plan]) => createTool(process, world, name, plan));
}

function createTool(process: SimulatedProcess, world: ToolWorld, name: string, plan: Plan) {
  const { library } = process;
  const { outside } = world;
  const { isKeyed, steps, approval, preview, canReconcile, effects, deferAfterMs, timeoutMs = 20_000, parts } = plan;
  const look = async (input: ToolInput, of: Pick<ObservedRun, 'attempt' | 'invocationId'>, step?: string) => {
    const said = await outside.look(process, { run: { ...of, tool: name, id: input.id }, step });
    return said === 'applied' ? ({ effect: 'applied', data: 'found' } as const) : ({ effect: 'none' } as const);
  };

  const planOf = ({ id, size }: ToolInput) => ({ size: size ?? 0, turn: world.plans.get(id) ?? 0 });

  async function run(input: ToolInput, ctx: RunningContext): Promise<unknown> {
    const { callId: attempt = `lost ${ctx.invocationId}`, invocationId } = ctx;
    const observed = outside.runBegan(process, {
      tool: name,
      id: input.id,
      attempt,
      invocationId,
      input,
      ...(preview && { plan: planOf(input) }),
    });
    try {
      if (world.onRun !== undefined) await within(process, world.onRun(observed, process));
      for (const part of parts) await runPart(part, input, ctx, observed);
      return { tool: name, id: input.id };
    } finally {
      observed.endedAt = world.scheduler.now();
    }
  }

  async function runPart(part: Part, input: ToolInput, ctx: RunningContext, observed: ObservedRun): Promise<unknown> {
    if ('sleepMs' in part || 'waitFor' in part) {
      // A handler that waits does not run: often it is never heard of again, and the next run goes on.
      observed.endedAt = world.scheduler.now();
      await ('sleepMs' in part ? ctx.sleep(part.sleepMs) : ctx.waitFor(part.waitFor, answerSchema));
      observed.endedAt = undefined;
      return undefined;
    }
    if ('beside' in part) return act(observed, part.beside, part.effects, `${name}/${input.id}`);
    const begin = (step: string, own: { effects?: 'none' | 'idempotent'; reconciles?: true; retries?: true }) =>
      ctx.step(world.renamed?.[step] ?? step, (key) => act(observed, world.renamed?.[step] ?? step, own.effects ?? 'writes', key), {
        ...(own.effects !== undefined && { effects: own.effects }),
        ...(own.reconciles && { reconcile: () => look(input, observed, step) }),
        ...(own.retries && { retry: { attempts: 2, baseMs: 50 } }),
      });
    if ('atOnce' in part) return Promise.all(part.atOnce.map((step) => begin(step, {})));
    return begin(part.step, part);
  }

  function act(observed: ObservedRun, step: string, stepEffects: ObservedStep['effects'], key: string): Promise<string> {
    const at = `${observed.attempt}/${step}`;
    const tries = (world.tries.get(at) ?? 0) + 1;
    world.tries.set(at, tries);
    const draw = world.random.fork(`${at}/${tries}`);
    const mood: Mood = world.isFaulty ? draw.weighted({ served: 90, refused: 4, 'broken-before': 2, 'broken-after': 4 }) : 'served';
    const refusal = () => library.fail('upstream', 'The service refused.', { effect: 'none' });
    return outside.act(process, { run: observed, step, effects: stepEffects, key, mood, refusal });
  }

  return library.defineTool({
    name,
    description: `A tool: ${plan.about}.`,
    input: inputSchema,
    timeoutMs,
    ...(effects !== undefined && { effects }),
    ...(steps && { steps }),
    ...(isKeyed && { idempotency: { key: ({ id }: ToolInput) => id } }),
    ...(approval && { approval: ({ id }: ToolInput) => `May it ${name} ${id}?` }),
    ...(preview && { preview: planOf }),
    ...(deferAfterMs !== undefined && { deferAfterMs }),
    ...(canReconcile && {
      reconcile: (input: ToolInput, ctx: RunningContext) => look(input, { attempt: ctx.callId ?? '', invocationId: ctx.invocationId }),
    }),
    run: run as never,
  } as never);
}

/** Gives what happens outside to a process that lives and does not stand still. */
function within<TValue>(process: SimulatedProcess, outside: Promise<TValue>): Promise<TValue> {
  return new Promise((resolve, reject) => {
    outside.then(
      (value) => process.deliver(() => resolve(value)),
      (thrown: unknown) => process.deliver(() => reject(thrown)),
    );
  });
}

/** A Standard Schema with the JSON Schema that it stands for. */
function toSchema(jsonSchema: Record<string, unknown>, isValid: (value: unknown) => boolean): object {
  return {
    '~standard': {
      version: 1,
      vendor: 'simulation',
      validate: (value: unknown) => (isValid(value) ? { value } : { issues: [{ message: 'does not fit' }] }),
      jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
    },
  };
}

const inputSchema = toSchema(
  { type: 'object', properties: { id: { type: 'string' }, size: { type: 'number' } }, required: ['id'], additionalProperties: false },
  (value) => typeof (value as ToolInput | null)?.id === 'string',
);

const answerSchema = toSchema(
  { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
  (value) => typeof (value as { readonly ok?: unknown } | null)?.ok === 'boolean',
);
