import type { Effects } from '../contract/index.ts';
import type { Failure, JsonObject, JsonValue, Outcome } from '../outcome/index.ts';
import type { AnyTool } from '../runtime/index.ts';

/** How outcomes look in one format, and how that format is read back. */
export interface Dialect<TName extends string = string, TEnvelope extends object = object, TOptions extends EncodeOptions = EncodeOptions> {
  readonly name: TName;
  /** Writes an outcome. Never throws; shares the outcome's data instead of copying it. */
  encode(outcome: Outcome, options?: TOptions): TEnvelope;
  /** Reads an envelope, its own or a foreign system's. Never throws: what cannot be read is a `bad_response` that says where and why. */
  decode(json: unknown, options?: DecodeOptions): Decoded;
  /** Checks whether a value has this format's shape; whether it is also sound, only `decode` says. */
  detect(json: unknown): boolean;
  /** Exports the envelope as JSON Schema 2020-12, with the tool's own output inside when one is given. */
  jsonSchema(tool?: AnyTool): JsonObject;
  /** The fields that an outcome loses on the way through `encode` with `strict` and back. */
  readonly losses: readonly Loss[];
}

/** The type of an outcome's data; where that is not known, any JSON. */
export type KnownData<TData> = unknown extends TData ? JsonValue : TData;

/** Options that every dialect's `encode` takes. */
export interface EncodeOptions {
  /** Writes only what the format documents, without the block from which everything else is read back. @default false */
  readonly strict?: boolean | undefined;
}

/** Known facts about the tool whose envelope is read. */
export interface DecodeOptions {
  /**
   * The side effects of the tool. Envelopes do not say; unless the reader does, a foreign failure may have taken effect and
   * is not to be repeated.
   */
  readonly effects?: Effects | undefined;
}

/** An outcome that was read, or why it could not be. */
export type Decoded = { readonly ok: true; readonly outcome: Outcome } | { readonly ok: false; readonly failure: Failure };

/** Names one place of an outcome that a strict envelope cannot carry. */
export interface Loss {
  /** The place below the outcome, dotted; everything below it is meant too. */
  readonly path: string;
  /** The fate of the field. */
  readonly note: string;
}
