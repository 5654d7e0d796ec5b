import { classify } from '../../classify/index.ts';
import type { CallContext, Effects, Progress } from '../../contract/index.ts';
import { createEventId } from '../../events/index.ts';
import { runContained } from '../../guards/contain-strays.ts';
import { type Failure, type JsonObject, makeFailure, type OptionNames, type Outcome, refuseOptions } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { type AnyTool, insideOf, type Tool, toSharedContext } from '../../runtime/index.ts';
import { checkToolbox, type Toolbox } from '../../toolbox/index.ts';
import { callOnce } from './call-once.ts';

/** How an adapter calls a toolbox. */
export interface AdapterOptions {
  /** Context of every call, or a function that makes it from the host's own context. */
  readonly context?: CallContext | ((host: unknown) => CallContext | undefined | Promise<CallContext | undefined>);
  /** Dialect of the model's text, instead of the marked text. The host's own failure flag stays right. */
  readonly dialect?: ModelDialect;
  /** Whether a promise that a tool forgot is reported, instead of ending the process when it is rejected. @default true */
  readonly containStrays?: boolean;
}

/** The names of the options that every adapter takes. */
export const adapterOptions: OptionNames<AdapterOptions> = { context: true, dialect: true, containStrays: true };

/** The host's description of one call. */
export interface HostCall {
  readonly callId?: string | undefined;
  /** The host's object or id for the run that the call belongs to; the same for all calls of the run. */
  readonly run?: object | string | undefined;
  /**
   * The host's object for the answer of the model that holds the call: the same call twice in one answer is made once. A host without one gives the id
   * of the run, where calls at the same time are of one answer; undefined where the host sees to it itself, or knows no answers.
   */
  readonly turn: object | string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Recognises what a handler throws to steer the host; the adapter throws it on. */
  readonly isControlFlow?: ((thrown: unknown) => boolean) | undefined;
  /** Whatever else the host hands to its tools; `options.context` may read it. */
  readonly host?: unknown;
}

/** A tool as an adapter offers it to its host. */
export interface HostTool {
  /** In the form every provider accepts. */
  readonly name: string;
  readonly description: string;
  readonly effects: Effects;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly examples: readonly { readonly input: unknown; readonly output?: unknown }[];
  /** Whether the model does not read it until the search of its provider or host has found it. */
  readonly deferred?: true;
  /** Answers a call; never rejects. */
  readonly call: (args: unknown, call: HostCall) => Promise<Outcome>;
}

/** The part of a toolbox that adapters use. */
export type CallableToolbox = Pick<Toolbox<readonly AnyTool[]>, 'answer' | 'list' | 'emit' | 'resolveName' | 'search'>;

/** Who searches where a toolbox has more tools than it offers. */
export interface ProviderSearchOptions {
  /**
   * Whether the provider searches, with models that can: all tools are sent, and those beyond the first few are marked as deferred. Else models
   * search with `search_tools`, which ranks better and says what a call will meet. Changes nothing where the toolbox has no `search`.
   * @default false
   */
  readonly providerSearch?: boolean;
}

/** Throws for what is no toolbox and for options that do not exist; gives the options, with the dialect of the toolbox's preset where they name none. */
export function readAdapterOptions<TOptions extends Pick<AdapterOptions, 'dialect'>>(
  where: string,
  toolbox: object,
  options: TOptions,
  known: OptionNames<NoInfer<TOptions>>,
): TOptions {
  checkToolbox(where, toolbox);
  refuseOptions(where, options, known);
  const { dialect } = insideOf(toolbox).preset ?? {};
  return dialect === undefined || options.dialect !== undefined ? options : { ...options, dialect };
}

/**
 * Returns the tools of a toolbox in the form all adapters start from, and reports to the toolbox that they were offered. Where another search than
 * ours finds the deferred ones, they are given too, and our own tools for searching are not.
 */
export function hostTools(
  toolbox: CallableToolbox,
  adapter: string,
  options: AdapterOptions = {},
  { isSearchedByHost = false }: { readonly isSearchedByHost?: boolean } = {},
): HostTool[] {
  checkToolbox('toTools', toolbox);
  const own: readonly string[] = insideOf(toolbox).search?.names ?? [];
  const listed = toolbox.list().filter(({ name, deferred }) => (isSearchedByHost ? !own.includes(name) : deferred !== true));
  const offered = listed.map(({ providerName, description, inputSchema }) => ({ name: providerName, description, inputSchema }));
  toolbox.emit({ type: 'tools-offered', adapter, tools: offered });
  return listed.map(({ providerName, name: _, ...facts }) => ({
    ...facts,
    name: providerName,
    call: (args, call) => answerHost(toolbox, adapter, options, { name: providerName, args }, call),
  }));
}

/** Answers one call for a host, whatever its tool's name is; never rejects. */
export async function answerHost(
  toolbox: Pick<CallableToolbox, 'answer' | 'emit'>,
  adapter: string,
  options: AdapterOptions,
  { name, args }: { readonly name: string; readonly args: unknown },
  { callId, run, turn, signal, onProgress, isControlFlow, host }: HostCall,
): Promise<Outcome> {
  // A call that is stopped already does not run; only its name and arguments are checked.
  const own = (await contextOf(options, host)) ?? (signal?.aborted === true ? {} : undefined);
  const call = { name, args, ...(callId !== undefined && { callId }) };
  if (own === undefined) return endOutside(toolbox, adapter, noContext, call);
  return callOnce(toolbox, { id: callId, name, args }, { turn, isControlFlow }, (watched) => {
    const context = {
      adapter,
      ...(run !== undefined && { client: run }),
      ...(onProgress !== undefined && { onProgress }),
      ...(watched !== undefined && { isControlFlow: watched }),
      ...toSharedContext(own),
      ...either(signal, own.signal),
    };
    return contained(toolbox, options, name, () => toolbox.answer(call, context as CallContext<never>));
  });
}

/** Returns a tool for a name that no tool of the host has, spelled in another way or wrong: the toolbox answers its calls. */
export function standInFor(name: string, toolbox: CallableToolbox, adapter: string, options: AdapterOptions): HostTool {
  const call: HostTool['call'] = (args, host) => answerHost(toolbox, adapter, options, { name, args }, host);
  return { name, description: '', effects: 'writes', inputSchema: { type: 'object' }, examples: [], call };
}

/** Runs calls so that a promise that a tool forgot does not end the process: it is printed, and a `problem` for the listeners. */
export function contained<TValue>(
  { emit }: Pick<CallableToolbox, 'emit'>,
  { containStrays = true }: Pick<AdapterOptions, 'containStrays'>,
  tool: string,
  run: () => TValue,
): TValue {
  if (!containStrays) return run();
  return runContained(tool, run, ({ error }) =>
    emit({ type: 'problem', where: `a promise that ${tool} left behind`, message: classify(error).message }),
  );
}

/** Ends a call that failed before it came to the toolbox, or beside it. The listeners of the toolbox hear of it like of any call. */
export function endOutside(
  { emit }: Pick<CallableToolbox, 'emit'>,
  adapter: string,
  error: Failure,
  { name, callId }: { readonly name: string; readonly callId?: string | undefined },
  attempts = 0,
): Outcome {
  const id = createEventId();
  const facts = { call: id, tool: name, invocationId: id, traceId: '', adapter, ...(callId !== undefined && { callId }) };
  const meta = Object.freeze({ tool: name, invocationId: id, ...(callId !== undefined && { callId }), tookMs: 0.001, attempts });
  const outcome: Outcome = Object.freeze({ status: 'error', error, meta });
  emit({ type: 'call-start', ...facts, input: null });
  emit({ type: 'call-end', ...facts, outcome });
  return outcome;
}

/** The type-level form of `toProviderName`, for hosts that key tools by name. */
export type ProviderName<TName extends string> = TName extends `${infer THead}:${infer TTail}`
  ? `${ProviderName<THead>}_${ProviderName<TTail>}`
  : TName extends `${infer THead}.${infer TTail}`
    ? `${THead}_${ProviderName<TTail>}`
    : TName;

/** The input and outcome types of a tool, for hosts that type both. For a tool of unknown types (`AnyTool`), the input is any object. */
export type ToolInput<TTool> =
  TTool extends Tool<string, infer TInput, unknown, string, never> ? ([TInput] extends [never] ? Record<string, unknown> : TInput) : never;
export type ToolOutcome<TTool> = TTool extends { readonly call: (...args: never) => Promise<infer TOutcome extends Outcome> }
  ? TOutcome
  : never;

async function contextOf({ context }: AdapterOptions, host: unknown): Promise<CallContext | undefined> {
  if (typeof context !== 'function') return context ?? {};
  try {
    return (await context(host)) ?? {};
  } catch {
    return undefined;
  }
}

/** Either of them stops the call: the host's own, and the one that the application gave. */
function either(host: AbortSignal | undefined, own: AbortSignal | undefined): Pick<CallContext, 'signal'> {
  if (host === undefined || own === undefined) return host === undefined ? {} : { signal: host };
  try {
    return { signal: AbortSignal.any([host, own]) };
  } catch {
    // One of them is not a signal; the toolbox looks at the host's.
    return { signal: host };
  }
}

/** Without the context it asked for, a call could act for the wrong tenant; so it does not run. */
const noContext = makeFailure('not_configured', { message: 'The context of this call could not be created, so it did not run.' });
