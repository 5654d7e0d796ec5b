import { type ApprovalsOptions, type CallsOptions, createCallKeeping, type StoreMethods } from '../calls/index.ts';
import { type Expose, exposeModes } from '../classify/index.ts';
import { type CallContext, toProviderName } from '../contract/index.ts';
import { createDispatcher, createEvent, type EventDraft, type EventSink, type ToolpactEvent, toProblemEvent } from '../events/index.ts';
import { cache, retry } from '../guards/index.ts';
import { peek } from '../json/index.ts';
import {
  createRedactor,
  type Outcome,
  type RedactOptions,
  refuseOption,
  refuseOptions,
  ToolpactError,
  withoutAbsent,
} from '../outcome/index.ts';
import type { Guard, GuardedTool, Notifier, ResourcePort, Store, Telemetry } from '../ports/index.ts';
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
  type ToolSearch,
  toGuardedTool,
  toSharedContext,
} from '../runtime/index.ts';
import { addStoreTools, arrangeGuards } from './arrange-guards.ts';
import { type BatchAnswer, type BatchCall, type BatchOptions, type PassBarrier, runBatch } from './batch.ts';
import { createFindTool, type FindTool } from './find-tool.ts';
import { createGuardMethods } from './guard-methods.ts';
import { type ListedTool, toListed } from './listed-tool.ts';
import {
  callToolName,
  createFindTools,
  createSearchTools,
  type FindTools,
  type FoundTool,
  readCallTool,
  searchToolName,
} from './search/index.ts';

export type { ListedTool } from './listed-tool.ts';

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
  /**
   * Who is told that people are asked something, and how that ended: `webhook({ url, secret })` of `toolpact/notify`, or notifiers of your own.
   * The store keeps what is to be told together with the question, so that it is told also where this process dies.
   */
  readonly notify?: readonly Notifier[] | undefined;
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
  /**
   * Lets models search where there are many tools: adapters and servers then offer a few tools, `search_tools` and `call_tool`. Programs call
   * every tool as before. @default all tools are offered
   */
  readonly search?: SearchOptions | undefined;
}

/** A call as a model sent it: any spelling of the name, arguments as an object or as JSON text. */
export interface ModelCall {
  readonly name: string;
  readonly args?: unknown;
  readonly callId?: string;
}

/** When models search for tools instead of being offered all of them. */
export interface SearchOptions {
  /** The names of the tools that are offered from the start besides the search. @default none */
  readonly always?: readonly string[];
  /** How many tools are offered without a search: with more of them, the others are found by `search_tools`. @default 30 */
  readonly above?: number;
}

/** The tool of a name, or else any of those whose names are not known one by one. */
type Named<TTools extends readonly AnyTool[], TName> = [OfName<TTools, TName>] extends [never]
  ? OfName<TTools, string>
  : OfName<TTools, TName>;
type OfName<TTools extends readonly AnyTool[], TName> = Extract<TTools[number], { readonly name: TName }>;
type InputOf<TTool> = TTool extends Tool<string, infer TInput, unknown, string, never> ? TInput : never;
type AppOf<TTools extends readonly AnyTool[]> = TTools[number] extends Tool<string, never, unknown, string, infer TApp> ? TApp : never;
type OutcomeOf<TTool> = TTool extends { readonly call: (...args: never) => Promise<infer TOutcome> } ? TOutcome : never;

/** Methods that the guards of a toolbox add to it. */
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
  /** Returns the same toolbox with a context that every call starts from. */
  readonly with: (context: CallContext<AppOf<TTools>>) => Toolbox<TTools, TMethods> & TMethods;
  /** Lists the tools with their JSON Schemas. */
  readonly list: () => ListedTool[];
  /** Finds tools by what they do, in any words, best first; 5 unless a `limit` is given. Says what a call of each will meet. */
  readonly search: (query: string, options?: { readonly limit?: number }) => Promise<FoundTool[]>;
  /** Returns the exact name of the tool that a spelling means; undefined when it means none, or more than one. */
  readonly resolveName: (name: string) => string | undefined;
  /** Returns an event that is not a call's own to the listeners of this toolbox and to its bound session. */
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

/** Methods that the store of a toolbox adds to it; none without a store. */
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
  checkEach('tools', given, isTool, 'tools made by defineTool');
  const { declare } = options;
  const declared = declare === undefined ? given : given.map((tool) => declareFor(tool, declare(toGuardedTool(planOf(tool)))));
  const settings = toSettings(declared, options);
  const plans = new Map<string, ToolPlan>();
  const offered = addStoreTools(declared, settings);
  const find: FindTools = createFindTools(() => offered.map((tool) => toListed(tool, deferred.has(tool.name))), plans);
  const deferred = deferredNames(declared, options.search);
  const tools = [...offered, ...(deferred.size > 0 ? createSearchTools(find) : [])] as readonly AnyTool[] as TTools;
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
      throw new ToolpactError(
        'missing_store',
        `tool "${tool}" declares ${promise}, which needs a store: createToolbox(tools, { store: sqliteStore('toolpact.db') }), or memoryStore() in tests`,
        { tool, promise },
      );
  }
  const toolSet = { tools, plans, deferred, findTool: createFindTool(plans, settings.repair), findTools: find };
  const toolbox: unknown = bind(toolSet, settings, noContext);
  return toolbox as ToolboxWith<TTools, MethodsOf<TUse> & StoreMethodsOf<TStore>>;
}

/** Throws unless a value can be used as a toolbox. Most often an array of tools, or one tool, is given in its place. */
export function checkToolbox(what: string, toolbox: unknown): void {
  if (typeof peek(toolbox, 'list') !== 'function')
    throw new ToolpactError('invalid_argument', `${what} takes a toolbox: createToolbox([…])`, { argument: 'toolbox' });
}

/** The tools of a toolbox, whatever it is bound to. */
interface ToolSet<TTools extends readonly AnyTool[]> {
  readonly tools: TTools;
  readonly plans: ReadonlyMap<string, ToolPlan>;
  /** The names of the tools that models find by a search. */
  readonly deferred: ReadonlySet<string>;
  readonly findTool: FindTool<ToolPlan>;
  readonly findTools: FindTools;
}

/** Checks the names that are always offered, and gives those of the tools that are not; none where the tools are few. */
function deferredNames(tools: readonly AnyTool[], search: SearchOptions | undefined): ReadonlySet<string> {
  const { always = [], above = 30 } = search ?? {};
  const missing = always.find((name) => !tools.some((tool) => tool.name === name));
  if (missing !== undefined)
    throw new ToolpactError('invalid_option', `createToolbox: search.always names "${missing}", which is not a tool of this toolbox`, {
      option: 'search',
    });
  if (search === undefined || tools.length <= above) return new Set();
  return new Set(tools.map(({ name }) => name).filter((name) => !always.includes(name)));
}

function bind<TTools extends readonly AnyTool[]>(toolSet: ToolSet<TTools>, settings: CallSettings, bound: CallContext): Toolbox<TTools> {
  const { tools, plans, deferred, findTool: find, findTools } = toolSet;
  const isCallTool = (name: unknown): boolean => find(name).entry?.name === callToolName;
  const search: ToolSearch | undefined =
    deferred.size === 0
      ? undefined
      : {
          names: [searchToolName, callToolName],
          meantBy(name, args) {
            const meant = isCallTool(name) ? readCallTool(args) : undefined;
            // Permissions are looked up by this name: a call of it inside another one stays what it is, and is refused.
            return meant === undefined || isCallTool(meant.name) ? { name, args } : meant;
          },
        };
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
    if (search !== undefined) ({ name, args } = search.meantBy(name, args));
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
      const isPlain = plan !== undefined && (search === undefined || name !== callToolName);
      return isPlain ? callTool(plan, settings, args, context, bound) : answer({ name, args }, mergeContext(bound, context));
    },
    answer: (call: ModelCall, context?: CallContext) => answer(call, mergeContext(bound, context)),
    batch: (calls: readonly BatchCall[], options?: BatchOptions, context?: CallContext) => {
      const shared = toSharedContext(mergeContext(bound, context));
      return runBatch(
        calls,
        options,
        (call, extra, gate) => answer(call, mergeContext(shared, extra), gate),
        (call, failedId) => {
          const { name, args } = search?.meantBy(call.name, call.args) ?? call;
          return answerSkipped(find(name).entry, name, failedId, settings, args, mergeContext(shared, { callId: call.callId }));
        },
        settings.hasApproval,
      );
    },
    with: (context: CallContext) => bind(toolSet, settings, toSharedContext(mergeContext(bound, context))),
    list: () => tools.map((tool) => toListed(tool, deferred.has(tool.name))),
    search: async (query: string, searchOptions?: { readonly limit?: number }) => {
      refuseOptions('search', searchOptions, { limit: 'a number above 0' });
      return findTools(String(query ?? ''), Math.ceil(searchOptions?.limit ?? 5), settings, bound);
    },
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
    redactor: settings.redactor,
    answerThrown: (name, thrown, context) => answerThrown(name, thrown, settings, mergeContext(bound, context)),
    search,
    rebind: (change) => bind(toolSet, change(settings), bound),
  };
  return Object.freeze({ ...methods, ...toolbox, [insideKey]: inside }) as unknown as Toolbox<TTools>;
}

function isNotifier(one: unknown): boolean {
  return typeof peek(one, 'createOutbox') === 'function';
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
    notify: true,
    events: 'an object',
    telemetry: true,
    resources: true,
    report: 'a function',
    expose: exposeModes,
    classify: ['words', 'structure'],
    redact: true,
    timeoutMs: 'a number above 0',
    echoInput: 'a boolean',
    repair: 'a boolean',
    maxResultChars: 'a number above 0',
    search: 'an object',
  });
  refuseOptions<SearchOptions>('search', options.search, { always: 'an array', above: true });
  const { above = 0 } = options.search ?? {};
  if (!(above >= 0)) refuseOption('search', 'above', 'a number from 0');
}

function toSettings(given: readonly AnyTool[], options: ToolboxOptions): CallSettings {
  const {
    use = [],
    redact,
    events,
    store,
    declare: _,
    search: __,
    calls,
    approvals,
    notify = [],
    ...stated
  } = {
    ...options.preset?.toolbox,
    ...withoutAbsent<ToolboxOptions>(options),
  };
  if (store !== undefined && typeof store !== 'object')
    refuseOption('createToolbox', 'store', "a store, such as sqliteStore('toolpact.db')");
  checkEach('use', use, isGuard, 'guards');
  checkEach('notify', notify, isNotifier, 'notifiers: webhook(…) or defineNotifier(…) of toolpact/notify');
  if (notify.length > 0 && store === undefined)
    throw new ToolpactError('missing_store', 'notify needs a store: createToolbox(tools, { store: sqliteStore(…), notify })', {
      option: 'notify',
    });
  const engine = use.find((guard) => guard.engine !== undefined);
  if (engine !== undefined && store === undefined)
    throw new ToolpactError(
      'missing_store',
      `the guard "${engine.name}" needs a store, which lists its calls and holds their questions: createToolbox(tools, { store: sqliteStore(…), use: […] })`,
      { guard: engine.name },
    );
  const keeping = store === undefined ? undefined : createCallKeeping(store, calls, approvals, engine !== undefined, notify);
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
