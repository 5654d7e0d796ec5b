import { computed, signal } from '@preact/signals';

/** Where the page is: `#/calls/<id>?status=error` is `{ page: 'calls', rest: '<id>' }` and a query. */
export interface Route {
  readonly page: string;
  /** The rest of the route after the page name, decoded; may be empty. */
  readonly rest: string;
  readonly query: URLSearchParams;
}

/** Reads the part of an address behind `#`. */
export function readRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [page = '', rest = ''] = path.split(/\/(.*)/s);
  return { page: page || 'calls', rest: decode(rest), query: new URLSearchParams(search) };
}

/** Writes an address that `readRoute` reads. */
export function toHash(page: string, rest = '', query = ''): string {
  return `#/${page}${rest === '' ? '' : `/${encodeURIComponent(rest)}`}${query === '' ? '' : `?${query}`}`;
}

const hash = signal(globalThis.location?.hash ?? '');
globalThis.addEventListener?.('hashchange', () => {
  hash.value = location.hash;
});

/** Where the page is now. */
export const route = computed(() => readRoute(hash.value));

/** Goes to an address. With `replace` the back button does not come back here. */
export function goTo(address: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  hash.value = location.hash;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
