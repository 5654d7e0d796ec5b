import type { JsonObject } from '../json/index.ts';

type ToolpactErrorCode =
  | 'invalid_definition'
  | 'invalid_schema'
  | 'invalid_option'
  | 'unknown_option'
  | 'invalid_argument'
  | 'invalid_step'
  | 'duplicate_name'
  | 'name_clash'
  | 'missing_guard'
  | 'missing_resource'
  | 'missing_store'
  | 'missing_package';

/** Reports a mistake of an author in a definition, an option or a call of this library. Programs read `code` and `details`. */
export class ToolpactError extends TypeError {
  override readonly name = 'ToolpactError';
  /**
   * Names what an author did wrong, out of a closed set:
   * - `invalid_definition`: a tool, resource, guard, slice or check is not made as it must be
   * - `invalid_schema`: a schema cannot be exported, lowered or used
   * - `invalid_option`: an option has a value that it cannot have
   * - `unknown_option`: an option is misspelt or does not exist
   * - `invalid_argument`: a function got something that it does not take
   * - `invalid_step`: a step was begun inside another step, or twice at once
   * - `duplicate_name`: two things have the same name
   * - `name_clash`: two names look the same to a model
   * - `missing_guard`, `missing_resource`, `missing_store`, `missing_package`: a definition needs something that was not given
   */
  readonly code: ToolpactErrorCode;
  readonly details: JsonObject;

  constructor(code: ToolpactErrorCode, message: string, details: JsonObject = {}, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}
