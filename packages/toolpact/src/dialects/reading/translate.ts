import type { Failure } from '../../outcome/index.ts';
import { expectArgument, ToolpactError } from '../../outcome/index.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from '../dialect.ts';
import { type DialectName, dialects } from '../dialects.ts';

/** A translated envelope, or why the given one could not be read. */
type Translated = { readonly ok: true; readonly json: object } | { readonly ok: false; readonly failure: Failure };

/** Reads an envelope in one dialect and writes it in another. Does no I/O, and throws only for a dialect that does not exist. */
export function translate<TOptions extends EncodeOptions = EncodeOptions>(
  json: unknown,
  from: DialectName | Dialect,
  to: DialectName | Dialect<string, object, TOptions>,
  options?: DecodeOptions & TOptions,
): Translated {
  const decoded = toDialect(from).decode(json, options);
  return decoded.ok ? { ok: true, json: toDialect(to).encode(decoded.outcome, options) } : decoded;
}

function toDialect(given: DialectName | Dialect): Dialect {
  if (typeof given !== 'string') {
    expectArgument(
      typeof given?.decode === 'function',
      'translate takes an envelope and two dialects: the one it is in, and the one it should be in',
    );
    return given;
  }
  if (Object.hasOwn(dialects, given)) return dialects[given];
  throw new ToolpactError('invalid_argument', `no dialect is named "${given}"; known are ${Object.keys(dialects).join(', ')}`);
}
