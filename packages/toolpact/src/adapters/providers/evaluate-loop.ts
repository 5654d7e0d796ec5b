import { classify } from '../../classify/index.ts';
import type { CallContext } from '../../contract/index.ts';
import { isObject, wellFormedJson } from '../../json/index.ts';
import { type Failure, type OptionNames, type Outcome, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import { insideOf } from '../../runtime/index.ts';
import { checkToolbox } from '../../toolbox/index.ts';
import { stopsRun } from '../frameworks/stops-run.ts';
import { type AnswerOptions, answerCalls, answerOptions, type ProviderToolbox } from './answer-calls.ts';
import { passText } from './collect-stream.ts';
import { PromptEvaluationError } from './prompt-evaluation-error.ts';
import type { ProviderForm, SentCall, SettledCall } from './provider-form.ts';
import { type Usage, usageOf } from './read-answer.ts';
import { answeredIds, settleCalls } from './sent-calls.ts';

/** A toolbox as a loop uses it. */
export interface LoopToolbox extends ProviderToolbox {
  readonly with: (context: never) => ProviderToolbox;
}

/** How a loop runs. */
export interface LoopOptions extends AnswerOptions {
  readonly toolbox: LoopToolbox;
  /** Context of every call. Its `signal` stops the whole run. */
  readonly context?: CallContext;
  /** How often the model may be asked. @default 16 */
  readonly maxRounds?: number;
  /** Whether answers are streamed. @default whether `onText` is given */
  readonly stream?: boolean;
  /** Hears the model's text, piece by piece where it is streamed. It cannot break a run. */
  readonly onText?: (text: string) => unknown;
}

/** The names of the options that every loop takes. */
const loopOptions: OptionNames<LoopOptions & { readonly client: unknown; readonly params: unknown }> = {
  ...answerOptions,
  toolbox: true,
  context: true,
  maxRounds: true,
  stream: true,
  onText: true,
  client: true,
  params: true,
};

/** Throws for options that `evaluate` does not have, and where one of the three that it needs is missing. `own` names those of one provider. */
export function checkLoopOptions(options: LoopOptions & { readonly client: unknown; readonly params: unknown }, own: object = {}): void {
  refuseOptions('evaluate', options, { ...loopOptions, ...own });
  for (const option of ['client', 'params'] as const) {
    if (!isObject(options?.[option])) throw new ToolpactError('invalid_option', `evaluate: ${option} must be an object`, { option });
  }
  checkToolbox('evaluate', options.toolbox);
}

/** The result of a run. */
export interface Evaluation<TMessage, TResponse> {
  /** The whole history, the given messages first. Every call is answered, so the provider accepts it as it is; after `host` all but those. */
  readonly messages: TMessage[];
  /** The model's last words. */
  readonly text: string;
  /** How often the model answered. */
  readonly rounds: number;
  readonly usage: Usage;
  /** The outcomes of the tools, in call order. */
  readonly outcomes: readonly Outcome[];
  /** The provider's last answer as it came. */
  readonly response?: TResponse;
  /**
   * Why it ended before the model was done: too many rounds, the same call over and over, the caller's signal, or a call that is not the
   * toolbox's and has to be answered by the application.
   */
  readonly stopped?: 'max_rounds' | 'repeat' | 'aborted' | 'host';
}

/** Checks whether a loop asks for streams. */
export function isStreamed({ stream, onText }: LoopOptions): boolean {
  return stream ?? onText !== undefined;
}

/** The part of a provider that a loop needs. */
export interface LoopPort {
  readonly form: ProviderForm;
  readonly messages: readonly object[];
  /** Asks the model. `added` are the messages that it has not been sent yet. */
  readonly ask: (messages: readonly object[], added: readonly object[]) => Promise<unknown>;
  /** The names of tools that are not the toolbox's. */
  readonly foreign: ReadonlySet<string>;
}

/**
 * Asks a model and answers its calls until it is done. The model reads that a tool failed and can change its plan; only a provider
 * that cannot be reached or understood raises, as {@link PromptEvaluationError}.
 */
export async function runLoop(port: LoopPort, options: LoopOptions): Promise<Evaluation<object, object>> {
  const { form } = port;
  if (!Array.isArray(port.messages))
    throw new ToolpactError('invalid_option', 'evaluate: params.messages must be an array', { option: 'params' });
  const { context = {} } = options;
  // All calls of the run come from one client, which is this run.
  const toolbox = options.toolbox.with({ adapter: form.adapter, client: port, ...context } as never);
  const { promptName, conversationId, sessionId = context.session?.id } = context;
  const facts = {
    adapter: context.adapter ?? form.adapter,
    ...(promptName !== undefined && { promptName }),
    ...(sessionId !== undefined && { sessionId }),
    ...(conversationId !== undefined && { conversationId }),
  };
  const end = (rounds: number, usage: Usage, error?: Failure): void =>
    toolbox.emit({ type: 'prompt-end', ...facts, rounds, usage: { ...usage }, ...(error !== undefined && { error }) });

  toolbox.emit({ type: 'prompt-start', ...facts });
  try {
    const evaluation = await askUntilDone(port, options, toolbox);
    end(evaluation.rounds, evaluation.usage);
    return evaluation;
  } catch (thrown) {
    if (thrown instanceof PromptEvaluationError) end(thrown.rounds, thrown.usage, thrown.failure);
    else end(0, usageOf(0, 0), classify(thrown));
    throw thrown;
  }
}

async function askUntilDone(port: LoopPort, options: LoopOptions, toolbox: ProviderToolbox): Promise<Evaluation<object, object>> {
  const { form, foreign, ask } = port;
  const { context = {}, maxRounds = 16, dialect = insideOf(toolbox).preset?.dialect } = options;
  const messages: object[] = [...port.messages];
  const outcomes: Outcome[] = [];
  const taken = new Set(answeredIds(messages));
  let [sent, rounds, usage, text] = [0, 0, usageOf(0, 0), ''];
  let last: object | undefined;

  const isAborted = (): boolean => context.signal?.aborted === true;
  const ended = (stopped?: Evaluation<object, object>['stopped']): Evaluation<object, object> => ({
    messages,
    text,
    rounds,
    usage,
    outcomes,
    ...(last !== undefined && { response: last }),
    ...(stopped !== undefined && { stopped }),
  });

  while (rounds < maxRounds) {
    if (isAborted()) return ended('aborted');
    const answer = await asked(async () => {
      const response = await ask(messages, messages.slice(sent));
      return { response, turn: form.read(response) };
    });
    if (answer === undefined) return ended('aborted');
    const { response, turn } = answer;
    rounds += 1;
    usage = added(usage, turn.usage);
    text = turn.text;
    last = response as object;
    if (!isStreamed(options) && text !== '') passText(text, options.onText);

    const isForeign = ({ name, namespace }: SentCall): boolean => namespace !== undefined || foreign.has(name);
    const settled = settleCalls(turn.calls, form.needsId, taken, isForeign);
    const calls = settled.filter((call): call is SettledCall => call !== undefined);
    const own = calls.filter(({ sent: call }) => !isForeign(call));
    const isOpen = turn.isOpen || own.length < calls.length;
    messages.push(...form.toHistory(response, settled).map(sendable));
    sent = messages.length;
    if (own.length === 0 && turn.again === undefined) return ended(isOpen ? 'host' : undefined);

    const answered = await answerCalls(form, own, toolbox, context, options);
    messages.push(...form.toAnswers(answered, turn, dialect).map(sendable));
    outcomes.push(...answered.map(({ outcome }) => outcome));
    if (isAborted()) return ended('aborted');
    if (answered.some(({ outcome }) => stopsRun(outcome))) return ended('repeat');
    if (isOpen) return ended('host');
  }
  return ended('max_rounds');

  /** Returns nothing when the caller stopped the run meanwhile. */
  async function asked<TAnswer>(task: () => Promise<TAnswer>): Promise<TAnswer | undefined> {
    try {
      return await task();
    } catch (thrown) {
      if (isAborted()) return undefined;
      throw new PromptEvaluationError(thrown, { messages, outcomes, rounds, usage });
    }
  }
}

/** Models send halves of surrogate pairs, and providers refuse the request that brings one back. */
function sendable(message: object): object {
  return wellFormedJson(message) as object;
}

function added(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
  };
}
