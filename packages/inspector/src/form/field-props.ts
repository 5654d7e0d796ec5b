import type { JsonObject, JsonValue } from 'toolpact';

/** Props of every form field. */
export interface FieldProps {
  readonly schema: JsonObject;
  /** Where references are looked up. */
  readonly root: JsonObject;
  readonly value: JsonValue | undefined;
  readonly path: string;
  /** Whether the value may be left out. */
  readonly isOptional: boolean;
  readonly onChange: (value: JsonValue | undefined) => void;
  /** Validation errors from the server, by path such as `lines.0.price`. */
  readonly issues: ReadonlyMap<string, string>;
}
