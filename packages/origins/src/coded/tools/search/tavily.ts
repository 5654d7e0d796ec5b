import { refuseOptions } from 'toolpact/internal';
import { askService, keyOf, serviceUrl } from './ask-service.ts';
import { type ProviderOptions, type SearchProvider, toHits } from './search-provider.ts';

/** Creates a provider that searches through Tavily, or a service that speaks like it. */
export function createTavily(options: ProviderOptions = {}): SearchProvider {
  refuseOptions<ProviderOptions>('createTavily', options, { apiKey: true, baseUrl: true });
  const { apiKey, baseUrl = 'https://api.tavily.com' } = options;
  const service = 'Tavily';
  return {
    name: 'tavily',
    async search(query, { limit, signal }) {
      const key = keyOf(service, apiKey);
      const { results } = await askService({
        ...{ service, signal, secret: key, url: serviceUrl(service, baseUrl, 'search') },
        headers: { authorization: `Bearer ${key}` },
        body: { query, max_results: Math.min(limit, 20), search_depth: 'basic' },
      });
      return toHits(service, results, { title: 'title', url: 'url', snippet: 'content' }).slice(0, limit);
    },
  };
}
