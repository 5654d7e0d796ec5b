import { fail, type JsonObject, type JsonValue } from 'toolpact';

/** One thing a search found. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A search service. Write this one function to use your own; it may throw anything. */
export interface SearchProvider {
  readonly name: string;
  /** Finds at most `limit` pages, the best first; an empty list when there are none. */
  readonly search: (query: string, options: { readonly limit: number; readonly signal: AbortSignal }) => Promise<readonly SearchHit[]>;
}

/** How a search service is reached. */
export interface ProviderOptions {
  /** Without one every search answers that it is missing. */
  readonly apiKey?: string | undefined;
  /** The address of the service, for another one with the same format. */
  readonly baseUrl?: string | undefined;
}

/** Reads a list of hits out of an answer; entries without an address are left out. */
export function toHits(service: string, list: JsonValue | undefined, names: Readonly<Record<keyof SearchHit, string>>): SearchHit[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw fail('bad_response', `${service} answered in a format that is not its own.`);
  return list.flatMap((entry) => {
    const read = (name: string): string => plain(String((entry as JsonObject | null)?.[name] ?? ''));
    const address = (entry as JsonObject | null)?.[names.url];
    const url = typeof address === 'string' ? address.replace(blanks, '') : '';
    return url === '' ? [] : [{ title: read(names.title), url, snippet: read(names.snippet) }];
  });
}

const entities: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'", nbsp: ' ' }),
);

/** Characters that could end the line on which a hit is written. */
const blanks = /[\s\p{Cc}]+/gu;

/** Some services mark the words that were looked for. */
function plain(text: string): string {
  return text
    .replace(/<\/?(?:strong|b|em|i|mark|br)\s*\/?>/gi, '')
    .replace(/&(#39|#x27|\w+);/gi, (whole, name: string) => entities.get(name.toLowerCase()) ?? whole)
    .replace(blanks, ' ')
    .trim();
}
