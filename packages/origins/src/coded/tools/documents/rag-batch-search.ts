import { fromJsonSchema } from '@toolpact/openapi';
import type { Resource } from 'toolpact';
import { defineTool, type JsonObject, partial } from 'toolpact';
import { type CodedToolData, codedToolData } from '../../coded-tool-data.ts';
import { failAll, failedOf, tell } from '../fail-all.ts';
import { mapLimited } from '../map-limited.ts';
import type { DocumentIndex } from './document-index.ts';
import { lookUp, maxCharsInAll, noHit, questionSchema, topKSchema } from './rag-search.ts';

type RagBatchSearchInput = {
  readonly queries: readonly string[];
  readonly top_k?: number;
};

const input = fromJsonSchema<RagBatchSearchInput>({
  type: 'object',
  properties: {
    queries: {
      type: 'array',
      items: questionSchema,
      minItems: 1,
      maxItems: 50,
      description: 'Several questions, each looked up on its own.',
    },
    top_k: topKSchema,
  },
  required: ['queries'],
  additionalProperties: false,
});

/** Defines `rag:batch_search`: several questions at once. Each has its place in `contexts`, empty where it failed; `errors` says why. */
export function ragBatchSearchTool(index: Resource<DocumentIndex>) {
  return defineTool({
    name: 'rag:batch_search',
    description: 'Looks several questions up in the document collection at once.',
    input,
    output: fromJsonSchema<CodedToolData['rag:batch_search']>(codedToolData['rag:batch_search']),
    effects: 'none',
    // Bounded by `maxCharsInAll`, at a place that makes sense.
    maxResultChars: 1_000_000,
    failures: { no_results_found: 'not_found' },
    resource: index,
    examples: [{ input: { queries: ['How long is the warranty?', 'Who repairs it?'], top_k: 3 } }],
    async run({ queries, top_k: limit = 5 }, { resource }) {
      const documents = await resource(index);
      const settled = await mapLimited(queries, 1, async (query) => {
        const context = lookUp(documents, query, limit, Math.floor(maxCharsInAll / queries.length));
        if (context !== undefined) return context;
        throw noHit(documents, query);
      });
      const failed = failedOf(settled);
      const data: CodedToolData['rag:batch_search'] = {
        count: queries.length,
        contexts: settled.map((item) => (item.ok ? item.value : '')),
        ...(failed.length > 0 && { errors: failed.map((item) => ({ index: item.index, error: tell(item.error) })) }),
      };
      if (failed.length === 0) return data;
      if (failed.length < queries.length) return partial(data, failed, { total: queries.length });
      throw failAll(failed, 'queries', data as unknown as JsonObject);
    },
  });
}
