import { makeFailure, type Outcome, toModelText } from '../../../core/outcome/index.ts';
import { type AdapterOptions, answerHost, type CallableToolbox, heard, withoutToolbox } from '../frameworks/host-tools.ts';
import { respellName } from '../frameworks/respell-name.ts';

/** What a run needs so that calls that reach no tool are answered. */
export interface OpenaiAgentsRunOptions {
  toolNotFoundBehavior: 'return_error_to_model';
  toolErrorFormatter: (error: OpenaiAgentsToolError) => Promise<string | undefined>;
  callModelInputFilter: <TItem extends object>(args: {
    modelData: OpenaiAgentsModelData<TItem>;
    context?: unknown;
  }) => Promise<OpenaiAgentsModelData<TItem>>;
}

/** A call that the SDK refused. */
export interface OpenaiAgentsToolError {
  readonly kind: 'approval_rejected' | 'tool_not_found';
  readonly toolName: string;
  readonly callId: string;
  readonly defaultMessage: string;
  readonly runContext: unknown;
}

/** What is about to be sent to a model. */
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
 * Gives what a run needs so that every call ends in an answer with its true cause: unknown names (which end the run otherwise), calls that
 * a person rejected, and arguments that are no JSON (for which the SDK has one fixed sentence). Spread it into the options of `run` or `Runner`.
 *
 * @example
 * await run(agent, 'Pay the bill.', { ...toRunOptions(toolbox), maxTurns: 5 });
 */
export function toRunOptions(toolbox: CallableToolbox, options: AdapterOptions = {}): OpenaiAgentsRunOptions {
  const told = new Map<string, string>();
  const explain = async (item: OpenaiAgentsItem, host: unknown): Promise<void> => {
    const { name = '', callId = '', arguments: args } = item;
    const outcome = await answerHost(toolbox, adapter, options, { name, args }, { callId, host });
    if (told.size >= mostKept) told.clear();
    told.set(keyOf(item), toModelText(outcome));
  };
  return {
    toolNotFoundBehavior: 'return_error_to_model',
    async toolErrorFormatter(error) {
      const outcome = await refusals[error.kind]?.(error, toolbox, options);
      return outcome && toModelText(outcome);
    },
    async callModelInputFilter({ modelData, context }) {
      const items: readonly OpenaiAgentsItem[] = modelData.input;
      // What came before the last message was answered in its own time, maybe by another process.
      const fresh = items.slice(items.findLastIndex((item) => 'role' in item) + 1).filter(isBroken);
      // The SDK gives the application's part of the run's context here, and the whole to tools.
      await Promise.all(fresh.filter((item) => !told.has(keyOf(item))).map((item) => explain(item, { context })));
      const broken = new Map(items.filter(isBroken).map((item) => [item.callId, item]));
      for (const item of items.filter(isParseError)) {
        const call = broken.get(item.callId);
        const text = call && told.get(keyOf(call));
        // These are copies made for this very function; the SDK knows them again only as long as they stay the same objects.
        if (text !== undefined) Object.assign(item, { output: { type: 'text', text } });
      }
      return modelData;
    },
  };
}

/** Some models number their calls anew in every run, so an id alone may mean another call. */
function keyOf({ callId, name, arguments: args }: OpenaiAgentsItem): string {
  return JSON.stringify([callId, name, args]);
}

const adapter = 'openai-agents';
const mostKept = 1000;

type Refusal = (error: OpenaiAgentsToolError, toolbox: CallableToolbox, options: AdapterOptions) => Promise<Outcome> | undefined;

/** What becomes of a call that the SDK refused; where it is nothing of ours, the SDK's own words are left. */
const refusals: Readonly<Record<OpenaiAgentsToolError['kind'], Refusal>> = {
  approval_rejected(error, toolbox, options) {
    if (!toolbox.list().some(({ providerName }) => providerName === error.toolName)) return undefined;
    return heard(refused('denied', `The call of ${error.toolName} was not approved; it did not run.`, error), options);
  },
  tool_not_found(error, toolbox, options) {
    const { toolName: name, callId, runContext: host, defaultMessage } = error;
    // A tool that only has to be loaded first is told about better by the SDK.
    if (!defaultMessage.includes('not found')) return undefined;
    const names = toolbox.list().map((tool) => tool.name);
    const meant = respellName(name, names);
    // Nothing may run here: the SDK keeps the arguments to itself.
    const facts = { callId, host, signal: AbortSignal.abort() };
    if (meant === undefined) return answerHost(toolbox, adapter, options, { name, args: {} }, facts);
    return heard(refused('unknown_tool', `There is no tool named "${name}". Did you mean "${meant}"?`, error), options);
  },
};

function refused(kind: 'denied' | 'unknown_tool', message: string, { toolName: name, callId }: OpenaiAgentsToolError): Outcome {
  return withoutToolbox(makeFailure(kind, { message }), { name, callId });
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

/** Recognises the SDK's own words for arguments that are no JSON. */
function isParseError({ type, output }: OpenaiAgentsItem): boolean {
  const text = typeof output === 'object' && output !== null && 'text' in output ? output.text : output;
  return type === 'function_call_result' && typeof text === 'string' && text.startsWith('An error occurred while parsing tool arguments');
}
