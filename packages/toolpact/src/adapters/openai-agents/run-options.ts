import { isObject } from '../../json/index.ts';
import { makeFailure, type Outcome } from '../../outcome/index.ts';
import {
  type AdapterOptions,
  adapterOptions,
  answerHost,
  type CallableToolbox,
  endOutside,
  readAdapterOptions,
} from '../frameworks/host-tools.ts';
import { respellName } from '../frameworks/respell-name.ts';
import { textFor } from '../frameworks/tell-model.ts';
import { isStrict, readArguments } from './arguments.ts';

/** Run options that answer calls which reach no tool. */
export interface OpenaiAgentsRunOptions {
  toolNotFoundBehavior: 'return_error_to_model';
  toolErrorFormatter: (error: OpenaiAgentsToolError) => Promise<string | undefined>;
  callModelInputFilter: OpenaiAgentsInputFilter;
}

/** Gives what is sent to a model, with the true answers of lost calls. */
export interface OpenaiAgentsInputFilter {
  <TItem extends object>(args: { modelData: OpenaiAgentsModelData<TItem>; context?: unknown }): Promise<OpenaiAgentsModelData<TItem>>;
  /** Asks the SDK for the items themselves instead of copies: an item belongs to one run, so an answer kept under it does too. */
  preserveInputIdentity: true;
}

/** A call that the SDK refused. */
export interface OpenaiAgentsToolError {
  readonly kind: 'approval_rejected' | 'tool_not_found';
  readonly toolName: string;
  readonly callId: string;
  readonly defaultMessage: string;
  readonly runContext: unknown;
}

/** The input of the next model request. */
export interface OpenaiAgentsModelData<TItem extends object> {
  input: TItem[];
  instructions?: string;
}

/** An item of a history, as far as it is looked at here. */
export interface OpenaiAgentsItem {
  readonly type?: string;
  readonly name?: string;
  readonly callId?: string;
  readonly arguments?: string;
  readonly output?: unknown;
}

/**
 * Returns the options of a run in which every call ends in an answer with its true cause: unknown names (which end the run otherwise), calls that
 * a person rejected, and arguments that are no JSON (for which the SDK has one fixed sentence). Spread it into the options of `run` or `Runner`.
 *
 * @example
 * await run(agent, 'Pay the bill.', { ...toRunOptions(toolbox), maxTurns: 5 });
 */
export function toRunOptions(toolbox: CallableToolbox, options: AdapterOptions = {}): OpenaiAgentsRunOptions {
  const settings = readAdapterOptions('toRunOptions', toolbox, options, adapterOptions);
  const answers = new WeakMap<object, string>();
  const listed = toolbox.list();
  const own = new Set(listed.map(({ providerName }) => providerName));
  /** Returns the tool that a name in another spelling means. */
  const meant: Meant = (name) => {
    const spelled = own.has(name) ? undefined : respellName(name, toolbox);
    return listed.find(({ providerName }) => providerName === spelled);
  };
  const explain = async (item: OpenaiAgentsItem, host: unknown): Promise<void> => {
    const { name = '', callId = '', arguments: sent = '' } = item;
    const tool = meant(name);
    const args = readArguments(sent, tool && isStrict(tool.inputSchema) ? tool.inputSchema : undefined);
    const outcome = await answerHost(toolbox, adapter, settings, { name, args }, { callId, turn: undefined, host });
    answers.set(item, textFor(outcome, settings.dialect));
  };
  const filter = async <TItem extends object>({
    modelData,
    context,
  }: {
    modelData: OpenaiAgentsModelData<TItem>;
    context?: unknown;
  }): Promise<OpenaiAgentsModelData<TItem>> => {
    const items: readonly OpenaiAgentsItem[] = modelData.input;
    // Earlier messages were answered in their own time, maybe by another process.
    const isLost = (item: OpenaiAgentsItem): boolean => isBroken(item) || isRespelled(item, meant, items);
    const fresh = items.slice(items.findLastIndex((item) => 'role' in item) + 1).filter(isLost);
    // The SDK gives the application's part of the run's context here, and the whole to tools.
    await Promise.all(fresh.filter((item) => !answers.has(item)).map((item) => explain(item, { context })));
    const lost = new Map(items.filter(isLost).map((item) => [item.callId, item]));
    const input = modelData.input.map((given) => {
      const item: OpenaiAgentsItem = given;
      const call = item.type === 'function_call_result' ? lost.get(item.callId) : undefined;
      if (call === undefined || !(isParseError(item) || isRespelled(call, meant, [item]))) return given;
      const text = answers.get(call);
      return text === undefined ? given : { ...given, output: { type: 'text', text } };
    });
    return { ...modelData, input };
  };
  return {
    toolNotFoundBehavior: 'return_error_to_model',
    async toolErrorFormatter(error) {
      const tool = error.kind === 'tool_not_found' ? meant(error.toolName) : undefined;
      // The SDK keeps the arguments to itself here; such a call is made when they are seen, before the model is asked again.
      if (tool !== undefined && mayRunLate(tool)) return respelledText(error.toolName, tool.providerName);
      const outcome = tool === undefined ? await refusals[error.kind]?.(error, toolbox, settings) : misspelled(error, tool, toolbox);
      return outcome && textFor(outcome, settings.dialect);
    },
    callModelInputFilter: Object.assign(filter, { preserveInputIdentity: true as const }),
  };
}

type Listed = ReturnType<CallableToolbox['list']>[number];
type Meant = (name: string) => Listed | undefined;

/** A run that is resumed elsewhere filters its input again, so a call that writes could be made twice. */
function mayRunLate({ effects }: Listed): boolean {
  return effects !== 'writes';
}

const adapter = 'openai-agents';

type Refusal = (error: OpenaiAgentsToolError, toolbox: CallableToolbox, options: AdapterOptions) => Outcome | Promise<Outcome> | undefined;

/** Answers for calls that the SDK refused; for any other refusal, the SDK's own words stay. */
const refusals: Readonly<Record<OpenaiAgentsToolError['kind'], Refusal>> = {
  approval_rejected(error, toolbox) {
    if (!toolbox.list().some(({ providerName }) => providerName === error.toolName)) return undefined;
    const { toolName: name, callId } = error;
    const failure = makeFailure('denied', { message: `The call of ${name} was not approved; it did not run.` });
    return endOutside(toolbox, adapter, failure, { name, callId });
  },
  tool_not_found(error, toolbox, options) {
    const { toolName: name, callId, runContext: host, defaultMessage } = error;
    // The SDK has a better message for a tool that only has to be loaded first, and states this reason in the message alone.
    if (!defaultMessage.includes('not found')) return undefined;
    // The signal is aborted, so that no tool runs here.
    return answerHost(
      toolbox,
      adapter,
      options,
      { name, args: {} },
      { callId, run: isObject(host) ? host : undefined, turn: undefined, host, signal: AbortSignal.abort() },
    );
  },
};

/** Refuses a call of a tool that writes, whose name is spelled in another way: the model makes it again with the right name. */
function misspelled({ toolName: name, callId }: OpenaiAgentsToolError, { providerName }: Listed, toolbox: CallableToolbox): Outcome {
  const failure = makeFailure('unknown_tool', { message: respelledText(name, providerName) });
  return endOutside(toolbox, adapter, failure, { name, callId });
}

function respelledText(name: string, tool: string): string {
  return `There is no tool named "${name}". Did you mean "${tool}"?`;
}

/** Recognises a call whose name means a tool in another spelling by the answer that it got from us: the SDK keeps only its text. */
function isRespelled({ type, name = '', callId }: OpenaiAgentsItem, meant: Meant, items: readonly OpenaiAgentsItem[]): boolean {
  const tool = type === 'function_call' ? meant(name) : undefined;
  if (tool === undefined || !mayRunLate(tool)) return false;
  const text = respelledText(name, tool.providerName);
  return items.some((item) => item.type === 'function_call_result' && item.callId === callId && textOf(item) === text);
}

function isBroken({ type, arguments: args }: OpenaiAgentsItem): boolean {
  if (type !== 'function_call' || typeof args !== 'string') return false;
  try {
    JSON.parse(args);
    return false;
  } catch {
    return true;
  }
}

/** Recognises the SDK's own words for arguments that are no JSON: its answer has no other mark. */
function isParseError(item: OpenaiAgentsItem): boolean {
  const text = textOf(item);
  return typeof text === 'string' && text.startsWith('An error occurred while parsing tool arguments');
}

function textOf({ output }: OpenaiAgentsItem): unknown {
  return isObject(output) && 'text' in output ? output.text : output;
}
