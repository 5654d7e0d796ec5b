import type { JsonObject } from 'toolpact';
import { objectSchema, textSchema } from 'toolpact/internal';

/** The `data` of the four documented tools, by tool name. */
export type CodedToolData = {
  readonly search: { readonly result: string; readonly query: string };
  readonly visit: {
    readonly result: string;
    readonly urls: readonly string[];
    readonly goal: string;
    /** Present when only some of the URLs could be read. */
    readonly warning?: string;
  };
  readonly 'rag:search': { readonly query: string; readonly context: string };
  readonly 'rag:batch_search': {
    readonly count: number;
    readonly contexts: readonly string[];
    /** Present when some of the queries failed. */
    readonly errors?: readonly { readonly index: number; readonly error: string }[];
  };
};

const texts: JsonObject = { type: 'array', items: textSchema };

/** The data shapes of the four documented tools, as JSON Schema by tool name. */
export const codedToolData: Readonly<Record<keyof CodedToolData, JsonObject>> = {
  search: objectSchema({ result: textSchema, query: textSchema }),
  visit: objectSchema({ result: textSchema, urls: texts, goal: textSchema, 'warning?': textSchema }),
  'rag:search': objectSchema({ query: textSchema, context: textSchema }),
  'rag:batch_search': objectSchema({
    count: { type: 'integer', minimum: 0 },
    contexts: texts,
    'errors?': { type: 'array', items: { type: 'object' } },
  }),
};
