import { fail } from 'toolpact';
import { refuseOptions } from 'toolpact/internal';
import { askService, notSetUp, serviceUrl } from './ask-service.ts';
import { type SearchProvider, toHits } from './search-provider.ts';

/** Creates a provider that searches through an instance of SearXNG that has the format `json` switched on. It needs no key, but an address. */
export function createSearxng(options: { readonly baseUrl?: string | undefined } = {}): SearchProvider {
  refuseOptions<{ readonly baseUrl?: string | undefined }>('createSearxng', options, { baseUrl: true });
  const { baseUrl } = options;
  const service = 'SearXNG';
  return {
    name: 'searxng',
    async search(query, { limit, signal }) {
      if (!baseUrl) throw notSetUp('No address is configured for SearXNG: give `baseUrl`.');
      const url = serviceUrl(service, baseUrl, 'search');
      url.search = new URLSearchParams({ q: query, format: 'json' }).toString();
      const { results, unresponsive_engines: silent } = await askService({ service, signal, url });
      if (!Array.isArray(results)) throw fail('bad_response', `${service} answered in a format that is not its own.`);
      // Only this list distinguishes an empty result from engines that did not answer.
      if (results.length === 0 && Array.isArray(silent) && silent.length > 0) {
        const engines = silent.map((entry) => (Array.isArray(entry) ? entry.join(': ') : String(entry))).join(', ');
        throw fail('upstream', `None of the search engines behind SearXNG answered (${engines.slice(0, 200)}).`);
      }
      return toHits(service, results, { title: 'title', url: 'url', snippet: 'content' }).slice(0, limit);
    },
  };
}
