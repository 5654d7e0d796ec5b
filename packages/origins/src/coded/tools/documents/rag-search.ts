import { fromJsonSchema } from '@toolpact/openapi';
import type { Resource } from 'toolpact';
import { defineTool, fail, type JsonObject, type ToolFailure } from 'toolpact';
import { type CodedToolData, codedToolData } from '../../coded-tool-data.ts';
import type { DocumentIndex } from './document-index.ts';

type RagSearchInput = {
  readonly query: string;
  readonly top_k?: number;
};

/** How a question is written in the schemas of both tools. */
export const questionSchema = { type: 'string', minLength: 1, maxLength: 4_000, pattern: '\\S' } as const;
/** How the number of pieces is written in the schemas of both tools. */
export const topKSchema = {
  type: 'integer',
  minimum: 1,
  maximum: 50,
  default: 5,
  description: 'How many pieces of documents are given.',
} as const;

/** The limit of characters for all answers of a call together, so that the text is never cut at a random place. */
export const maxCharsInAll = 200_000;

const input = fromJsonSchema<RagSearchInput>({
  type: 'object',
  properties: {
    query: { ...questionSchema, description: 'What you want to know, in words that the documents might use.' },
    top_k: topKSchema,
  },
  required: ['query'],
  additionalProperties: false,
});

/** Defines `rag:search`: finds the pieces of documents that answer a question best. */
export function ragSearchTool(index: Resource<DocumentIndex>) {
  return defineTool({
    name: 'rag:search',
    description: 'Looks a question up in the document collection and gives the pieces that answer it best.',
    input,
    output: fromJsonSchema<CodedToolData['rag:search']>(codedToolData['rag:search']),
    effects: 'none',
    // Bounded by `maxCharsInAll`, at a place that makes sense.
    maxResultChars: 1_000_000,
    failures: { no_results_found: 'not_found' },
    resource: index,
    examples: [{ input: { query: 'How long is the warranty?', top_k: 3 } }],
    toModel: ({ context }) => context,
    async run({ query, top_k: limit = 5 }, { resource }) {
      const documents = await resource(index);
      const context = lookUp(documents, query, limit);
      return context === undefined ? noHit(documents, query, { query, context: '' }) : { query, context };
    },
  });
}

/**
 * Looks a question up and writes the hits as one text, each with where it is from; undefined when there are none. Hits that do not fit are
 * left out, the worst first, and counted.
 */
export function lookUp(index: DocumentIndex, query: string, limit: number, maxChars = maxCharsInAll): string | undefined {
  const pieces = find(index, query, limit).map(
    ({ id, title, part, text }, place) => `[${place + 1}] ${title === '' ? id : `${title} (${id})`}, part ${part}\n${text}`,
  );
  if (pieces.length === 0) return undefined;
  let room = maxChars;
  const kept = pieces.filter((piece, place) => {
    room -= piece.length + 2;
    return place === 0 || room >= 0;
  });
  const left = pieces.length - kept.length;
  return [...kept, ...(left > 0 ? [`[${left} more left out]`] : [])].join('\n\n');
}

/** Says that the documents know nothing about a question, or that there are none. */
export function noHit(index: DocumentIndex, query: string, data?: JsonObject): ToolFailure {
  const message =
    index.count().documents === 0
      ? 'The document collection is empty: nothing has been put into it yet.'
      : `No document matches “${query.slice(0, 200).toWellFormed()}”.`;
  return fail('not_found', message, { code: 'no_results_found', ...(data !== undefined && { data }) });
}

/** An error of SQLite about a broken file ("no such table") must not be read as "nothing found". */
function find(index: DocumentIndex, query: string, limit: number): ReturnType<DocumentIndex['search']> {
  try {
    return index.search(query, { limit });
  } catch (cause) {
    throw fail('internal', 'The document index could not be read.', { cause });
  }
}
