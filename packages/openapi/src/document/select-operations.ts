import type { OpenApiOperation, OpenApiOptions } from '../open-api-options.ts';

/** Creates the test that selects the wanted operations. */
export function selectOperations(include: OpenApiOptions['include']): (operation: OpenApiOperation) => boolean {
  if (include === undefined) return () => true;
  if (typeof include === 'function') return include;
  const tests = include.map((wanted) => {
    const pattern = typeof wanted === 'string' ? toPattern(wanted) : new RegExp(wanted.source, wanted.flags.replace(/[gy]/g, ''));
    return (text: string) => pattern.test(text);
  });
  return ({ name, method, path, operationId, tags }) =>
    [name, ...(operationId === undefined ? [] : [operationId]), ...tags, `${method} ${path}`].some((text) =>
      tests.some((test) => test(text)),
    );
}

function toPattern(wanted: string): RegExp {
  const [, method = '', rest = wanted] = /^([A-Za-z]+) (\/.*)$/s.exec(wanted) ?? [];
  const text = rest.replace(/[.*+?^${}()|[\]\\]/g, (sign) => (sign === '*' ? '.*' : `\\${sign}`));
  return new RegExp(method === '' ? `^${text}$` : `^${method.toUpperCase()} ${text}$`, 's');
}
