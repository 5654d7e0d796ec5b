import { fail, type JsonObject } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { askService, keyOf, serviceUrl } from './ask-service.ts';
import { type ProviderOptions, type SearchProvider, toHits } from './search-provider.ts';

/** Creates a provider that searches through Brave Search, or a service that speaks like it. */
export function createBrave(options: ProviderOptions = {}): SearchProvider {
  refuseOptions<ProviderOptions>('createBrave', options, { apiKey: true, baseUrl: true });
  const { apiKey, baseUrl = 'https://api.search.brave.com' } = options;
  const service = 'Brave Search';
  return {
    name: 'brave',
    async search(query, { limit, signal }) {
      const key = keyOf(service, apiKey);
      const url = serviceUrl(service, baseUrl, 'res/v1/web/search');
      // The service refuses more than 20 and queries that are longer than 400 characters.
      url.search = new URLSearchParams({ q: query.slice(0, 400), count: String(Math.min(limit, 20)) }).toString();
      const answer = await askService({ service, signal, secret: key, url, headers: { 'X-Subscription-Token': key } });
      // An answer without `web` is how nothing found looks here; one without `type` comes from somewhere else.
      if (typeof answer.type !== 'string') throw fail('bad_response', `${service} answered in a format that is not its own.`);
      const { results } = (answer.web ?? {}) as JsonObject;
      return toHits(service, results, { title: 'title', url: 'url', snippet: 'description' }).slice(0, limit);
    },
  };
}
