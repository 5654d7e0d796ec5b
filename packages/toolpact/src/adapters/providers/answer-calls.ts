import { type CallContext, lift, toNameKey } from '../../contract/index.ts';
import { isObject, parseExactly } from '../../json/index.ts';
import type { OptionNames } from '../../outcome/index.ts';
import type { AnyTool, ModelDialect } from '../../runtime/index.ts';
import type { BatchAnswer, Toolbox } from '../../toolbox/index.ts';
import { type CallableToolbox, contained, readAdapterOptions } from '../frameworks/host-tools.ts';
import { PromptEvaluationError } from './prompt-evaluation-error.ts';
import type { AnsweredCall, ProviderForm, SentCall, Turn } from './provider-form.ts';
import { findRepeats } from './sent-calls.ts';

/** The part of a toolbox that answers the calls of a turn. */
export type ProviderToolbox = CallableToolbox & Pick<Toolbox<readonly AnyTool[]>, 'batch'>;

/** How the calls of one turn are answered. */
export interface AnswerOptions {
  /** How many calls may run at once. @default 8 */
  readonly concurrency?: number;
  /** Dialect of the model's text, instead of the marked text. The provider's own failure flag stays right. */
  readonly dialect?: ModelDialect;
  /** Whether a promise that a tool forgot is reported, instead of ending the process when it is rejected. @default true */
  readonly containStrays?: boolean;
}

/** The names of the options with which calls are answered. */
export const answerOptions: OptionNames<AnswerOptions> = { concurrency: true, dialect: true, containStrays: true };

/** A call and the id and name it is answered under. */
interface OpenCall {
  readonly sent: SentCall;
  readonly id: string | undefined;
  readonly name: string;
}

/** Answers every call of a provider's answer, for people who write their own loop. */
export async function answerResponse(
  form: ProviderForm,
  response: unknown,
  toolbox: ProviderToolbox,
  context: CallContext,
  options: AnswerOptions,
): Promise<object[]> {
  const settings = readAdapterOptions('answerToolCalls', toolbox, options, answerOptions);
  const turn = readOrRaise(form, response);
  const repeats = findRepeats(turn.calls);
  // A call that names a group of tools is the application's own, even where a tool of the toolbox has the same name.
  const isOpen = (call: SentCall): boolean => !repeats.has(call) && call.namespace === undefined;
  const open = turn.calls.filter(isOpen).map((sent) => ({ sent, id: sent.id, name: sent.name }));
  return form.toAnswers(await answerCalls(form, open, toolbox, context, settings), turn, settings.dialect);
}

/** Answers the calls of one turn, in call order; none can harm another, and none runs before all have passed their gates. */
export async function answerCalls(
  form: ProviderForm,
  calls: readonly OpenCall[],
  toolbox: ProviderToolbox,
  context: CallContext,
  options: AnswerOptions,
): Promise<AnsweredCall[]> {
  if (calls.length === 0) return [];
  const { concurrency } = options;
  const lifted = form.lifts ? createLift(toolbox) : (sent: SentCall) => sent.args;
  const batch = calls.map(({ sent, id }, index) => ({ id: id ?? `${sent.name}#${index}`, tool: sent.name, args: lifted(sent) }));
  const own = { adapter: form.adapter, ...context } as CallContext<never>;
  const names = [...new Set(batch.map(({ tool }) => tool))].join(' or ');
  const run = () => toolbox.batch(batch, concurrency === undefined ? {} : { concurrency }, own);
  const answers = await contained(toolbox, options, names, run);
  return calls.map(({ sent, id, name }, index) => {
    const outcome = (answers[index] as BatchAnswer).outcome;
    return { id, name, echo: sent.echo, outcome };
  });
}

/** Takes out the nulls a strict schema made the model fill in. Text that is no JSON object is the toolbox's to judge. */
function createLift(toolbox: ProviderToolbox): (sent: SentCall) => unknown {
  const schemas = new Map(toolbox.list().map(({ name, inputSchema }) => [toNameKey(name), inputSchema]));
  return ({ name, args }) => {
    const schema = schemas.get(toNameKey(name));
    if (schema === undefined || typeof args !== 'string') return args;
    try {
      const value: unknown = parseExactly(args);
      return isObject(value) ? lift(value, schema) : args;
    } catch {
      return args;
    }
  };
}

function readOrRaise(form: ProviderForm, response: unknown): Turn {
  try {
    return form.read(response);
  } catch (thrown) {
    throw new PromptEvaluationError(thrown);
  }
}
