import { expectArgument, type Failure } from '../../outcome/index.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from '../dialect.ts';

/** A translated envelope, or why the given one could not be read. */
type Translated<TEnvelope extends object> =
  | { readonly ok: true; readonly json: TEnvelope }
  | { readonly ok: false; readonly failure: Failure };

/** Reads an envelope in one dialect and writes it in another. Does no I/O, and throws only for what is no dialect. */
export function translate<TEnvelope extends object, TOptions extends EncodeOptions>(
  json: unknown,
  from: Dialect,
  to: Dialect<string, TEnvelope, TOptions>,
  options?: DecodeOptions & TOptions,
): Translated<TEnvelope> {
  expectArgument(
    typeof from?.decode === 'function' && typeof to?.encode === 'function',
    'translate takes an envelope and two dialects: the one it is in, and the one it should be in',
  );
  const decoded = from.decode(json, options);
  return decoded.ok ? { ok: true, json: to.encode(decoded.outcome, options) } : decoded;
}
