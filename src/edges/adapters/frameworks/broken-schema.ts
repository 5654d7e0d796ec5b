import { type FailureKind, fail, type Issue, type ToolFailure } from '../../../core/outcome/index.ts';

/** Which value of a foreign tool broke which of its schemas, and what that means. */
export interface BrokenSchema {
  readonly kind: FailureKind;
  readonly says: string;
  readonly effect?: 'none';
}

export const brokenInput: BrokenSchema = { kind: 'invalid_input', says: 'The arguments do not fit the schema', effect: 'none' };
export const brokenOutput: BrokenSchema = { kind: 'invalid_output', says: 'The result does not fit the schema' };

/** Makes the failure of a call that a framework ended because a value broke a schema, from what the framework found. */
export function brokenSchema(
  { kind, says, effect }: BrokenSchema,
  found: readonly { readonly path: readonly (string | number)[]; readonly message: string }[],
  cause?: unknown,
): ToolFailure {
  const issues = found.map(({ path, message }): Issue => ({ path: [...path], problem: 'rule', message }));
  const text = issues.map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`)).join('; ');
  return fail(kind, text === '' ? `${says}.` : `${says}: ${text}`, {
    issues,
    ...(effect !== undefined && { effect }),
    ...(cause !== undefined && { cause }),
  });
}
