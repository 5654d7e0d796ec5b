/** Finds the server from the address of the page: the page lies at `…/` or at `…/inspector/`, the server's `v1/` beside it. */
export function apiBase(page: string): string {
  const folder = new URL('.', page);
  folder.search = '';
  folder.hash = '';
  return folder.pathname.endsWith('/inspector/') ? new URL('..', folder).href : folder.href;
}
