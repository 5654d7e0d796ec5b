import { isRecord, peek } from '../../../core/json/index.ts';
import { fail } from '../../../core/outcome/index.ts';
import { brokenInput, brokenOutput, brokenSchema } from '../frameworks/broken-schema.ts';
import { withoutHost } from '../frameworks/without-host.ts';
import { isControlFlow } from './tool.ts';

/**
 * Reads what an action threw: what Genkit itself said of the arguments or the result, an interrupt, or else what the tool threw. Genkit
 * puts a trace on what a tool throws, so that what has none is its own.
 */
export function thrownByGenkit(thrown: unknown, hasBegun: boolean): unknown {
  // It keeps its name, so that a generation of Genkit that calls the tool knows it.
  if (isControlFlow(thrown)) {
    const { name, metadata } = thrown as Error & { readonly metadata?: unknown };
    return Object.assign(withoutHost('an interrupt', 'Genkit', thrown), { name, metadata });
  }
  const detail = peek(thrown, 'detail');
  if (isRecord(detail) && Array.isArray(detail.errors) && peek(thrown, 'traceId') === undefined)
    return brokenSchema(hasBegun ? brokenOutput : brokenInput, detail.errors.filter(isRecord).map(toFound), thrown);
  if (thrown instanceof TypeError && cannotMark.test(String(peek(thrown, 'message'))))
    return fail('internal', 'The tool threw something that Genkit cannot write its trace on, so that its cause is lost.', {
      cause: thrown,
    });
  return thrown;
}

/** What engines say when Genkit writes its trace on null, or on what is frozen. */
const cannotMark = /\btraceId\b/;

function toFound({ path, message }: Readonly<Record<string, unknown>>): { readonly path: readonly string[]; readonly message: string } {
  return { path: path === '(root)' ? [] : String(path).split('.'), message: String(message) };
}
