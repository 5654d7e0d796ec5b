import { fieldsOf, listOf } from '../providers/read-answer.ts';
import { freeId } from '../providers/sent-calls.ts';

/** The ids that the calls of one answer are known by. */
export interface CallIds {
  /** Returns a call that begins an id of its own. */
  readonly begin: (id: string) => string;
  /** Returns the id of a call that has begun. */
  readonly of: (id: string) => string;
  /** Returns the id of a call that is whole; the next one with the same is another. */
  readonly end: (id: string) => string;
}

/**
 * Makes sure that no two calls of a conversation have one id. Some servers number them anew in every turn, and Mastra keeps one call per
 * id: the others would run without an answer.
 */
export function createCallIds(request: unknown): CallIds {
  const sent = listOf(fieldsOf(request).prompt).flatMap(({ content }) => listOf(content));
  const taken = new Set(sent.flatMap(({ toolCallId }) => (typeof toolCallId === 'string' ? [toolCallId] : [])));
  const begun = new Map<string, string>();
  const begin = (id: string): string => {
    const own = freeId(id, taken);
    taken.add(own);
    begun.set(id, own);
    return own;
  };
  return {
    begin,
    of: (id) => begun.get(id) ?? id,
    end(id) {
      const own = begun.get(id) ?? begin(id);
      begun.delete(id);
      return own;
    },
  };
}
