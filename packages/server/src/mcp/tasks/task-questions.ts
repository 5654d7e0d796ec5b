import { fail, type JsonObject, type Outcome, type Pending, type RecordedCall } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { mcpUser } from '../approval.ts';
import type { McpCaller } from '../caller.ts';
import { pendingOf } from './find-task.ts';

/** Something that a waiting call asks its client. */
export interface TaskQuestion {
  /** Under this handle the answer is given. No question of a task has the handle of another one. */
  readonly handle: string;
  /** The form that the client shows, and the answer in what it sends back. */
  readonly message: string;
  readonly schema: JsonObject;
  readonly answerIn: (content: unknown) => unknown;
}

/** Returns what a call asks that waits for an input: each question in the middle of its tool, or the one that its handler returned. */
export function questionsOf(call: RecordedCall): readonly TaskQuestion[] {
  const { handle, reason, ask = { message: `${call.tool} needs an input.` } } = pendingOf(call);
  if (reason !== 'input') return [];
  const { questions = [] } = call;
  const openQuestions = questions.length > 0 ? questions : [{ handle, ask }];
  return openQuestions.map((one) => ({ handle: one.handle, message: one.ask.message, ...toForm(one.ask) }));
}

/**
 * Answers a question with what a client sent. Gives what is wrong with the answer. A client whose user gave no answer leaves the call waiting;
 * a user who declines lets the tool fail as denied.
 */
export async function answerQuestion({ handle, answerIn }: TaskQuestion, given: unknown, caller: McpCaller): Promise<string | undefined> {
  const { action, content } = isRecord(given) ? given : {};
  if (action !== 'accept' && action !== 'decline') return undefined;
  const answer = action === 'accept' ? answerIn(content) : fail('denied', 'The user declined to answer.', { effect: 'none' });
  const { remembered, by = mcpUser } = caller;
  const settled = await remembered?.calls.settle(handle, answer, { by });
  return settled?.status === 'error' && isRefusal(settled) ? settled.error.message : undefined;
}

/** An answer that does not fit changes nothing; a call that ended with a failure is another matter. */
function isRefusal({ error, meta }: Extract<Outcome, { status: 'error' }>): boolean {
  return error.kind === 'invalid_input' && meta.tool === undefined;
}

/** Forms are objects of simple fields: a simple value is put into one. */
function toForm({ schema = { type: 'object', properties: {} } }: NonNullable<Pending['ask']>): Pick<TaskQuestion, 'schema' | 'answerIn'> {
  if (schema.type === 'object') return { schema, answerIn: (content) => content };
  const { $schema: _, ...field } = schema;
  return {
    schema: { type: 'object', properties: { answer: field }, required: ['answer'] },
    answerIn: (content) => (isRecord(content) ? content.answer : undefined),
  };
}
