import { refuseOptions } from 'toolpact/internal';
import { askService, keyOf, serviceUrl } from './ask-service.ts';
import { type ProviderOptions, type SearchProvider, toHits } from './search-provider.ts';

/** Creates a provider that searches through Serper, or a service that speaks like it. */
export function createSerper(options: ProviderOptions = {}): SearchProvider {
  refuseOptions<ProviderOptions>('createSerper', options, { apiKey: true, baseUrl: true });
  const { apiKey, baseUrl = 'https://google.serper.dev' } = options;
  const service = 'Serper';
  return {
    name: 'serper',
    async search(query, { limit, signal }) {
      const key = keyOf(service, apiKey);
      const { organic } = await askService({
        ...{ service, signal, secret: key, url: serviceUrl(service, baseUrl, 'search') },
        headers: { 'X-API-KEY': key },
        body: { q: query, num: limit },
      });
      return toHits(service, organic, { title: 'title', url: 'link', snippet: 'snippet' }).slice(0, limit);
    },
  };
}
