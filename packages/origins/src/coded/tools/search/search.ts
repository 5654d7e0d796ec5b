import { fromJsonSchema } from '@toolpact/openapi';
import { classify, defineTool, fail, partial } from 'toolpact';
import { type CodedToolData, codedToolData } from '../../coded-tool-data.ts';
import { failAll, failedOf } from '../fail-all.ts';
import { mapLimited } from '../map-limited.ts';
import { notSetUp } from './ask-service.ts';
import type { SearchHit, SearchProvider } from './search-provider.ts';

type SearchInput = {
  readonly query: string | readonly string[];
  readonly max_results?: number;
};

const query = { type: 'string', minLength: 1, maxLength: 2_000, pattern: '\\S' };
const input = fromJsonSchema<SearchInput>({
  type: 'object',
  properties: {
    query: {
      anyOf: [query, { type: 'array', items: query, minItems: 1, maxItems: 10 }],
      description: 'What to look for, or a list of up to ten such questions.',
    },
    max_results: { type: 'integer', minimum: 1, maximum: 20, default: 10, description: 'How many pages are listed for each question.' },
  },
  required: ['query'],
  additionalProperties: false,
});

const atOnce = 5;

/** Defines `search`: one question or several to a search service, answered as text that lists pages with their addresses. */
export function searchTool(provider: SearchProvider | undefined) {
  return defineTool({
    name: 'search',
    description: 'Searches the web. Gives titles, addresses and short extracts of pages; use visit to read one.',
    input,
    output: fromJsonSchema<CodedToolData['search']>(codedToolData.search),
    effects: 'none',
    failures: { no_results_found: 'not_found', api_key_not_configured: 'not_configured' },
    timeoutMs: 30_000,
    examples: [{ input: { query: 'opening hours of the Kyoto railway museum' } }],
    toModel: ({ result }) => result,
    async run({ query: asked, max_results: limit = 10 }, { signal }) {
      if (provider === undefined) return notSetUp('No search service is configured: give `search` to `createSandbox`.');
      const queries = [asked].flat();
      const settled = await mapLimited(queries, atOnce, async (one) => {
        const hits = await provider.search(one, { limit, signal });
        if (hits.length > 0) return hits;
        throw fail('not_found', `Nothing was found for “${one}”.`, { code: 'no_results_found', data: { result: '', query: one } });
      });
      const found = settled.flatMap((item) => (item.ok ? [toText(queries.length > 1 ? queries[item.index] : undefined, item.value)] : []));
      const data = { result: found.join('\n\n'), query: queries.join(' | ') };
      const failed = failedOf(settled);
      if (failed.length === 0) return data;
      if (found.length > 0) return partial(data, failed, { total: queries.length });
      // The failure of a single search, or of a missing setting, says more than `all_failed`.
      const first = failed[0]?.error;
      throw queries.length === 1 || classify(first).kind === 'not_configured' ? first : failAll(failed, 'searches', data);
    },
  });
}

function toText(heading: string | undefined, hits: readonly SearchHit[]): string {
  const lines = hits.map(
    ({ title, url, snippet }, index) => `${index + 1}. ${title || url}\n   ${url}${snippet === '' ? '' : `\n   ${snippet.slice(0, 600)}`}`,
  );
  // Services cut their extracts anywhere, and so do we.
  return [...(heading === undefined ? [] : [`## ${heading}`]), ...lines].join('\n').toWellFormed();
}
