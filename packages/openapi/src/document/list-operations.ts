import type { OpenApiOperation } from '../open-api-options.ts';
import { asList, asMap, asText, DocumentProblem, isMap, type JsonMap } from './document-problem.ts';
import { nameOperations } from './name-operations.ts';
import { resolveRef } from './resolve-ref.ts';

/** An operation together with the parts of the description it was read from. */
export interface ListedOperation {
  readonly operation: OpenApiOperation;
  readonly definition: JsonMap;
  /** The part of the description that holds for all methods of its path. */
  readonly shared: JsonMap;
  /** Why it cannot be read at all. */
  readonly problem?: string;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'] as const;

/** Lists all operations of a description in its own order, with names. The choice of operations does not change the names. */
export function listOperations(root: JsonMap, prefix: string | undefined): ListedOperation[] {
  const found = Object.entries(asMap(root.paths)).flatMap(([path, item]) => (path.startsWith('x-') ? [] : readPath(root, path, item)));
  const names = nameOperations(
    found.map(({ method, path, definition }) => ({ method, path, operationId: asText(definition.operationId) })),
    prefix,
  );
  return found.map(({ method, path, definition, shared, problem }, index) => {
    const operationId = asText(definition.operationId);
    const summary = asText(definition.summary);
    const operation: OpenApiOperation = {
      name: names[index] as string,
      method,
      path,
      ...(operationId !== undefined && { operationId }),
      ...(summary !== undefined && { summary }),
      tags: asList(definition.tags).filter((tag) => typeof tag === 'string'),
      deprecated: definition.deprecated === true,
    };
    return { operation, definition, shared, ...(problem !== undefined && { problem }) };
  });
}

interface FoundOperation {
  readonly method: string;
  readonly path: string;
  readonly definition: JsonMap;
  readonly shared: JsonMap;
  readonly problem?: string;
}

function readPath(root: JsonMap, path: string, item: unknown): FoundOperation[] {
  let shared: JsonMap;
  try {
    const { $ref, ...own } = asMap(item);
    shared = $ref === undefined ? own : { ...resolveRef(root, { $ref }), ...own };
  } catch (thrown) {
    if (!(thrown instanceof DocumentProblem)) throw thrown;
    return [{ method: 'ANY', path, definition: {}, shared: {}, problem: thrown.message }];
  }
  const pathProblem = path.startsWith('/') ? undefined : 'its path does not begin with a slash';
  return methods.flatMap((method) => {
    if (!Object.hasOwn(shared, method)) return [];
    const definition = shared[method];
    const problem = isMap(definition) ? pathProblem : 'it is not an object';
    return [{ method: method.toUpperCase(), path, definition: asMap(definition), shared, ...(problem !== undefined && { problem }) }];
  });
}
