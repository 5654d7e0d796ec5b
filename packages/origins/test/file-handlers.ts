/** Raised by a handler that refuses its params. */
export class ToolValidationError extends Error {
  override readonly name = 'ToolValidationError';
}

/** Parameters of a handler of 003, as the model writes them. */
export interface Params {
  readonly path: string;
}

/** The handler's result: the documented one, an attached payload, or an exception. */
export type Found = { readonly files: readonly string[] } | { readonly payload: { readonly tried: string } };

/** Lists files, or ends in one of the ways in which handlers end. The programs before and after the move share it. */
export function listFiles({ path }: Params): Found {
  if (path === '/locked') return { payload: { tried: path } };
  const thrown = raised[path];
  if (thrown !== undefined) throw thrown();
  return { files: [`${path}/a.ts`] };
}

/** Exceptions of the handler, by the requested path. */
export const raised: Readonly<Record<string, () => unknown>> = {
  '': () => new ToolValidationError('path must not be empty'),
  '/missing': () => new Error('ENOENT: no such file or directory, scandir /missing'),
  '/lines': () => new Error('first line\nsecond line\n    at someone'),
  '/long': () => new Error('word '.repeat(300)),
  '/type': () => new TypeError("Cannot read properties of undefined (reading 'map')"),
  '/http': () => Object.assign(new Error('Service Unavailable'), { status: 503 }),
  '/slow': () => Object.assign(new Error('listing took more than 5 s'), { name: 'TimeoutError' }),
  '/text': () => 'only a text',
  '/words': () => new Error('cache entry missing'),
};
