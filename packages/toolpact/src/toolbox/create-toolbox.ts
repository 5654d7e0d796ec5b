import { type ApprovalsOptions, type CallsOptions, createCallKeeping, type StoreMethods } from '../calls/index.ts';
import { type Expose, exposeModes } from '../classify/index.ts';
import { type CallContext, type Effects, toProviderName } from '../contract/index.ts';
import { createDispatcher, createEvent, type EventDraft, type EventSink, type ToolpactEvent, toProblemEvent } from '../events/index.ts';
import { cache, retry } from '../guards/index.ts';
import { peek } from '../json/index.ts';
import {
  createRedactor,
  type JsonObject,
  type Outcome,
  type RedactOptions,
  refuseOption,
  refuseOptions,
  ToolpactError,
  withoutAbsent,
} from '../outcome/index.ts';
import { type Guard, type GuardedTool, guardOfPromise, type ResourcePort, type Store, type Telemetry } from '../ports/index.ts';
import {
  type AnyTool,
  answerSkipped,
  answerThrown,
  answerUnknown,
  type CallSettings,
  callTool,
  declareFor,
  defaultSettings,
  giveEvent,
  insideKey,
  isGuard,
  isTool,
  mergeContext,
  noContext,
  type OwnInside,
  type Preset,
  planOf,
  type Report,
  sessionOf,
  type Tool,
  type ToolDeclaration,
  type ToolPlan,
  toGuardedTool,
  toSharedContext,
} from '../runtime/index.ts';
import { addGuardTools, arrangeGuards } from './arrange-guards.ts';
import { type BatchAnswer, type BatchCall, type BatchOptions, type PassBarrier, runBatch } from './batch.ts';
import { createFindTool, type FindTool } from './find-tool.ts';
import { createGuardMethods } from './guard-methods.ts';

/** How a toolbox runs its tools. */
export interface ToolboxOptions<TUse extends readonly Guard[] = readonly Guard[], TStore extends Store | undefined = Store | undefined> {
  /** The options of one contract: of this toolbox where they are not stated here, and of its adapters, its server and its telemetry. */
  readonly preset?: Preset;
  /**
   * Remembers calls, and switches on what tools declare: idempotency, approvals, durable steps, deferred and cached calls, and the list of calls.
   * `sqliteStore` keeps them in a file, `postgresStore` for all machines, `memoryStore` for tests.
   */
  readonly store?: TStore;
  /** Declares, for each tool, what its own definition does not: for tools that others wrote, or for all. What it gives counts. */
  readonly declare?: ((tool: DeclaredTool) => ToolDeclaration | undefined) | undefined;
  /** How calls are remembered in the store. */
  readonly calls?: CallsOptions | undefined;
  /** How people are asked whether calls may run. */
  readonly approvals?: ApprovalsOptions | undefined;
  /** Guards, in any order: each knows its place. Some add methods to the toolbox. */
  readonly use?: TUse;
  /** The first listener: anything with `emit`. Others come with `toolbox.subscribe`. */
  readonly events?: EventSink;
  /** Records every call, for example `openTelemetry()` from `toolpact/telemetry`. */
  readonly telemetry?: Telemetry;
  /** The resources that tools get by `ctx.resource`: `createResources` creates them. */
  readonly resources?: ResourcePort;
  /** The operator's sink: one record per failure. @default each cause in full once, then one console line a minute */
  readonly report?: Report;
  /**
   * How much callers read of the text of a bare `throw`: as its author wrote it, without secrets and stack; nothing, so that they read only
   * text that the author wrote with `fail`; all of it, without secrets; or all of it as it was thrown. @default 'redacted'
   */
  readonly expose?: Expose;
  /** Whether errors are judged by their sentences too, or by statuses, codes, names and causes only. @default 'words' */
  readonly classify?: 'words' | 'structure';
  /** More secrets to hide, by pattern, key or path. */
  readonly redact?: RedactOptions;
  /** The most that a call gets, for tools that state none. Without it, callers may ask for more than the 30 seconds they get by default. */
  readonly timeoutMs?: number;
  /** @default true */
  readonly echoInput?: boolean;
  /**
   * Whether malformed arguments of tools that change nothing are repaired where no meaning is guessed, with a warning, and tools are found by
   * other spellings of their names. Without it a model reads what was wrong and sends it again. @default true
   */
  readonly repair?: boolean;
  /** For tools that state none: 100,000 characters are about 25,000 tokens of a model. @default 100_000 */
  readonly maxResultChars?: number;
}

/** A call as a model sent it: any spelling of the name, arguments as an object or as JSON text. */
export interface ModelCall {
  readonly name: string;
  readonly args?: unknown;
  readonly callId?: string;
}

/** A tool as callers and models see it. */
export interface ListedTool {
  readonly name: string;
  /** The name in the form every provider accepts. */
  readonly providerName: string;
  readonly description: string;
  readonly effects: Effects;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly examples: readonly { readonly input: unknown; readonly output?: unknown }[];
}

/** The tool of a name, or else any of those whose names are not known one by one. */
type Named<TTools extends readonly AnyTool[], TName> = [OfName<TTools, TName>] extends [never]
  ? OfName<TTools, string>
  : OfName<TTools, TName>;
type OfName<TTools extends readonly AnyTool[], TName> = Extract<TTools[number], { readonly name: TName }>;
type InputOf<TTool> = TTool extends Tool<string, infer TInput, unknown, string, never> ? TInput : never;
type AppOf<TTools extends readonly AnyTool[]> = TTools[number] extends Tool<string, never, unknown, string, infer TApp> ? TApp : never;
type OutcomeOf<TTool> = TTool extends { readonly call: (...args: never) => Promise<infer TOutcome> } ? TOutcome : never;

/** What the guards of a toolbox add to it. */
export type MethodsOf<TUse extends readonly Guard[]> = Together<TUse[number] extends infer TGuard ? AddedBy<TGuard> : never>;

type AddedBy<TGuard> = TGuard extends Guard<infer TMethods> ? (keyof TMethods extends never ? never : TMethods) : never;
type Together<TUnion> = (TUnion extends unknown ? (value: TUnion) => void : never) extends (value: infer TAll) => void
  ? unknown extends TAll
    ? object
    : TAll & object
  : object;

/** Tools under one roof: one set of guards, listeners and settings. */
export interface Toolbox<TTools extends readonly AnyTool[] = readonly AnyTool[], TMethods extends object = object> {
  readonly tools: TTools;
  readonly resources?: ResourcePort | undefined;
  /** Calls a tool by its exact name, fully typed. */
  readonly call: <TName extends TTools[number]['name']>(
    name: TName,
    args: InputOf<Named<TTools, TName>>,
    context?: CallContext<AppOf<TTools>>,
  ) => Promise<OutcomeOf<Named<TTools, TName>>>;
  /** Answers what a model sent. */
  readonly answer: (call: ModelCall, context?: CallContext<AppOf<TTools>>) => Promise<Outcome>;
  /** Answers many calls at once, in call order; no call can harm another. */
  readonly batch: (calls: readonly BatchCall[], options?: BatchOptions, context?: CallContext<AppOf<TTools>>) => Promise<BatchAnswer[]>;
  /** Gives the same toolbox with a context that every call starts from. */
  readonly with: (context: CallContext<AppOf<TTools>>) => Toolbox<TTools, TMethods> & TMethods;
  /** Lists the tools with their JSON Schemas. */
  readonly list: () => ListedTool[];
  /** Gives the exact name of the tool that a spelling means; undefined when it means none, or more than one. */
  readonly resolveName: (name: string) => string | undefined;
  /** Gives an event that is not a call's own to the listeners of this toolbox and to its bound session. */
  readonly emit: (event: EventDraft) => void;
  /**
   * Listens to everything that happens in this toolbox, whichever bound view a call is made through; returns the function that stops
   * it. A listener hears calls that begin after it was added, at once and in order; one that fails breaks nothing.
   */
  readonly subscribe: (listener: (event: ToolpactEvent) => unknown) => () => void;
}

/** A tool as `declare` sees it: its name, its effects, and what it declares itself. */
export type DeclaredTool = Pick<
  GuardedTool,
  'name' | 'description' | 'effects' | 'steps' | 'idempotency' | 'retry' | 'cache' | 'approval' | 'deferAfterMs'
>;

/** What the store of a toolbox adds to it; nothing where there is none. */
export type StoreMethodsOf<TStore extends Store | undefined> = [TStore] extends [Store] ? StoreMethods : object;

/** A toolbox together with the methods that its guards and its store add. */
export type ToolboxWith<TTools extends readonly AnyTool[], TMethods extends object> = Toolbox<TTools, TMethods> & TMethods;

/**
 * Puts tools under one roof. Throws at once for what is wrong with them together: two tools of one name, names that a provider cannot
 * tell apart, a schema that cannot be exported, a promise whose guard is missing.
 */
export function createToolbox<
  const TTools extends readonly AnyTool[],
  const TUse extends readonly Guard[] = readonly Guard[],
  TStore extends Store | undefined = undefined,
>(given: TTools, options: ToolboxOptions<TUse, TStore> = {}): ToolboxWith<TTools, MethodsOf<TUse> & StoreMethodsOf<TStore>> {
  checkOptions(options);
  checkEach('tools', given, isTool, 'tools');
  const { declare } = options;
  const declared = declare === undefined ? given : given.map((tool) => declareFor(tool, declare(toGuardedTool(planOf(tool)))));
  const settings = toSettings(declared, options);
  const tools = addGuardTools(declared, settings) as TTools;
  const plans = new Map<string, ToolPlan>();
  for (const one of tools) {
    const { name: tool } = one;
    const plan = planOf(one);
    if (plans.has(tool)) throw new ToolpactError('duplicate_name', `two tools are named "${tool}"`, { tool });
    plans.set(tool, plan);
    plan.schemas();
    const resource = plan.needs?.find((type) => options.resources?.has(type) !== true);
    if (resource !== undefined)
      throw new ToolpactError('missing_resource', `tool "${tool}" needs the resource "${resource}"; add it to \`resources\``, {
        tool,
        resource,
      });
    const promise = plan.requires.find((promise) => !settings.provides.has(promise));
    if (promise !== undefined)
      throw new ToolpactError('missing_guard', `tool "${tool}" declares ${promise}; add the ${guardOfPromise[promise]} guard to \`use\``, {
        tool,
        promise,
      });
  }
  const toolbox: unknown = bind(tools, plans, createFindTool(plans, settings.repair), settings, noContext);
  return toolbox as ToolboxWith<TTools, MethodsOf<TUse> & StoreMethodsOf<TStore>>;
}

/** Throws unless a value can be used as a toolbox. Most often an array of tools, or one tool, is given in its place. */
export function checkToolbox(what: string, toolbox: unknown): void {
  if (typeof peek(toolbox, 'list') !== 'function')
    throw new ToolpactError('invalid_argument', `${what} takes a toolbox: createToolbox([…])`, { argument: 'toolbox' });
}

function bind<TTools extends readonly AnyTool[]>(
  tools: TTools,
  plans: ReadonlyMap<string, ToolPlan>,
  find: FindTool<ToolPlan>,
  settings: CallSettings,
  bound: CallContext,
): Toolbox<TTools> {
  const answer = async (call: ModelCall, context: CallContext, gate?: PassBarrier): Promise<Outcome> => {
    let name: unknown;
    let args: unknown;
    let callId: unknown;
    try {
      ({ args, callId, name } = call);
    } catch {
      // `name` is read last: if a getter throws, it stays undefined and the call is answered as an unknown tool.
    }
    const own = mergeContext(context, { callId });
    // An adapter offers tools under the names that providers accept; its models can call nothing else.
    const found = find(name, own.adapter === undefined ? undefined : toProviderName);
    if (found.entry === undefined) return answerUnknown(name, found, settings, args, own);
    return callTool(found.entry, settings, args, undefined, own, gate);
  };
  const emit = (draft: EventDraft): void => {
    const own = bound.session as EventSink | undefined;
    if (settings.dispatcher.active || own !== undefined) giveEvent(settings, own, createEvent(draft));
  };
  const toolbox = {
    tools,
    resources: settings.resources,
    call: (name: string, args: unknown, context?: CallContext) => {
      const plan = plans.get(name);
      return plan === undefined ? answer({ name, args }, mergeContext(bound, context)) : callTool(plan, settings, args, context, bound);
    },
    answer: (call: ModelCall, context?: CallContext) => answer(call, mergeContext(bound, context)),
    batch: (calls: readonly BatchCall[], options?: BatchOptions, context?: CallContext) => {
      const shared = toSharedContext(mergeContext(bound, context));
      return runBatch(
        calls,
        options,
        (call, extra, gate) => answer(call, mergeContext(shared, extra), gate),
        ({ name, args, callId }, failedId) => {
          return answerSkipped(find(name).entry, name, failedId, settings, args, mergeContext(shared, { callId }));
        },
        settings.hasApproval,
      );
    },
    with: (context: CallContext) => bind(tools, plans, find, settings, toSharedContext(mergeContext(bound, context))),
    list: () => tools.map(toListed),
    resolveName: (name: string) => find(name).entry?.name,
    emit,
    subscribe: settings.dispatcher.subscribe,
  };
  const { methods, supply } = createGuardMethods(settings, plans, { answer: toolbox.answer, emit, context: bound });
  const inside: OwnInside = {
    ...supply,
    plans,
    guards: [...settings.outer, ...settings.guards],
    provides: (promise) => settings.provides.has(promise),
    preset: settings.preset,
    answerThrown: (name, thrown, context) => answerThrown(name, thrown, settings, mergeContext(bound, context)),
    rebind: (change) => bind(tools, plans, find, change(settings), bound),
  };
  return Object.freeze({ ...methods, ...toolbox, [insideKey]: inside }) as unknown as Toolbox<TTools>;
}

/** Throws unless a value is an array whose members are all of one sort. */
function checkEach(option: string, value: unknown, is: (one: unknown) => boolean, what: string): void {
  if (!Array.isArray(value) || ![...value].every(is)) refuseOption('createToolbox', option, `an array of ${what}`);
}

function checkOptions(options: ToolboxOptions): void {
  refuseOptions<ToolboxOptions>('createToolbox', options, {
    preset: 'an object',
    use: true,
    store: true,
    declare: 'a function',
    calls: true,
    approvals: true,
    events: 'an object',
    telemetry: true,
    resources: true,
    report: 'a function',
    expose: exposeModes,
    classify: ['words', 'structure'],
    redact: true,
    timeoutMs: 'more than 0',
    echoInput: 'a boolean',
    repair: 'a boolean',
    maxResultChars: 'more than 0',
  });
}

function toSettings(given: readonly AnyTool[], options: ToolboxOptions): CallSettings {
  const {
    use = [],
    redact,
    events,
    store,
    declare: _,
    calls,
    approvals,
    ...stated
  } = {
    ...options.preset?.toolbox,
    ...withoutAbsent<ToolboxOptions>(options),
  };
  checkEach('use', use, isGuard, 'guards');
  const keeping = store === undefined ? undefined : createCallKeeping(store, calls, approvals);
  const arranged = arrangeGuards([...(keeping?.guards ?? []), ...guardsFor(given, use, store), ...use], keeping);
  const settings: CallSettings = { ...defaultSettings, ...withoutAbsent<CallSettings>(stated), ...arranged };
  const dispatcher = createDispatcher(settings.watched);
  if (events !== undefined) dispatcher.subscribe((event) => events.emit(event));
  settings.resources?.watch?.((problem) => dispatcher.emit(toProblemEvent(problem)));
  return Object.freeze({
    ...settings,
    dispatcher,
    session: sessionOf(events),
    redactor: redact === undefined ? defaultSettings.redactor : createRedactor(redact),
    watched: settings.watched || settings.telemetry !== undefined,
  });
}

/** Creates the guards that keep what tools declare besides: retries, and results that are used again. */
function guardsFor(given: readonly AnyTool[], use: readonly Guard[], store: Store | undefined): readonly Guard[] {
  const declares = (name: 'retry' | 'cache'): boolean =>
    !use.some((guard) => guard.name === name) && given.some((tool) => (planOf(tool).guardOptions[name] ?? false) !== false);
  return [...(store !== undefined && declares('cache') ? [cache({ store })] : []), ...(declares('retry') ? [retry()] : [])];
}

function toListed(tool: AnyTool): ListedTool {
  const { name, description, effects, examples } = tool;
  const { input, output } = planOf(tool).schemas();
  return withoutAbsent({
    name,
    providerName: toProviderName(name),
    description,
    effects,
    inputSchema: input,
    outputSchema: output,
    examples,
  });
}
