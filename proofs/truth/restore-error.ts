import { prototypeOf } from './stored-class.ts';
import type { Place, Stored } from './stored-error.ts';

const frames: Record<Place, string> = {
  package: '\n    at Object.send (/app/node_modules/some-package/index.js:10:11)\n    at run (/app/src/tool.js:3:5)',
  client: '\n    at new Client (/app/node_modules/some-package/index.js:10:11)\n    at run (/app/src/tool.js:3:5)',
  runtime: '\n    at TCP.emit (node:internal/streams/destroy:10:11)',
  engine: '\n    at JSON.parse (<anonymous>)\n    at run (/app/src/tool.js:3:5)',
  own: '\n    at run (/app/src/tool.js:3:5)',
  none: '',
};

/** Restores a thrown value; `withStacks: false` removes what a bundled application does not have. */
export function restoreError(stored: Stored, options: { readonly withStacks: boolean }): unknown {
  if (typeof stored !== 'object' || stored === null) return stored;
  if (Array.isArray(stored)) return stored.map((item) => restoreError(item, options));
  const { '~class': names, '~place': place, '~pairs': pairs, ...fields } = stored;
  if (Array.isArray(pairs)) return new Map(pairs as [string, string][]);
  const restored: Record<string, unknown> = names === undefined ? {} : Object.create(prototypeOf(names as string[]));
  for (const [name, held] of Object.entries(fields)) {
    const value = restoreError(held, options);
    Object.defineProperty(restored, name, { value, enumerable: name !== 'message', writable: true, configurable: true });
  }
  if (place !== undefined) {
    const stack = options.withStacks
      ? `${String(fields.name ?? 'Error')}: ${String(fields.message ?? '')}${frames[place as Place]}`
      : undefined;
    Object.defineProperty(restored, 'stack', { value: stack, enumerable: false, writable: true, configurable: true });
  }
  return restored;
}
