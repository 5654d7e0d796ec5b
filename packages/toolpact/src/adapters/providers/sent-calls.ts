import { toProviderName } from '../../contract/index.ts';
import { isRecord } from '../../json/index.ts';
import type { JsonObject, JsonValue } from '../../outcome/index.ts';
import { isSameCall } from '../frameworks/call-once.ts';
import type { SentCall, SettledCall } from './provider-form.ts';
import { fieldsOf, listOf } from './read-answer.ts';

/** Finds calls that were sent twice in one turn: the same name and arguments under the same id. They are one call. */
export function findRepeats(calls: readonly SentCall[]): ReadonlySet<SentCall> {
  return new Set(calls.filter((call, index) => calls.slice(0, index).some((before) => isSameCall(before, call))));
}

/**
 * Makes calls fit for a history, so that none of them makes the provider refuse every later request: repetitions go, two calls under one
 * id are distinguished, names are spelled as providers demand, and arguments are an object. `taken` holds the ids of earlier turns. Names of
 * tools that are not the toolbox's stay as the application wrote them.
 */
export function settleCalls(
  calls: readonly SentCall[],
  needsId: boolean,
  taken: Set<string>,
  isForeign: (call: SentCall) => boolean,
): (SettledCall | undefined)[] {
  const repeats = findRepeats(calls);
  return calls.map((sent) => {
    if (repeats.has(sent)) return undefined;
    const id = needsId || sent.id ? freeId(sent.id || 'call', taken) : undefined;
    if (id !== undefined) taken.add(id);
    const name = isForeign(sent) ? sent.name : toProviderName(sent.name).slice(0, 64) || 'unnamed';
    return { sent, id, name, args: replacementOf(sent.args) };
  });
}

/** Finds the ids of calls that a history has answered already, in any provider's form. */
export function answeredIds(messages: readonly object[]): string[] {
  return messages
    .map(fieldsOf)
    .flatMap(({ tool_call_id: chat, call_id: responses, content, parts }) => [
      chat,
      responses,
      ...listOf(content).map((block) => block.tool_use_id),
      ...listOf(parts).map((part) => fieldsOf(part.functionResponse).id),
    ])
    .filter((id): id is string => typeof id === 'string');
}

/** The longest id that every provider takes. */
const longest = 40;

/** Returns an id, or the same with a number where it is taken. */
export function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count += 1) free = `${id.slice(0, longest - `_${count}`.length)}_${count}`;
  return free;
}

/** Returns what stands in a history for arguments that are no object; what the model wrote stays visible to it. */
function replacementOf(args: unknown): JsonObject | undefined {
  const value = typeof args === 'string' ? parsed(args) : args;
  if (value === undefined || args === '') return {};
  const isObject = isRecord(value);
  return isObject ? undefined : { malformed_arguments: (typeof args === 'string' ? args : value) as JsonValue };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Returns arguments that ended with the model's allowance in a form the toolbox sees to be cut off. A provider may have closed such a text
 * itself, and what it closed must not run.
 */
export function cutOff(args: unknown): unknown {
  if (typeof args !== 'string') return JSON.stringify(args ?? {}).slice(0, -1);
  return args.trim() === '' ? '{' : args;
}
