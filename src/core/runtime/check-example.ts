import { pathOf, type StandardSchemaV1 } from '../contract/index.ts';
import { isThenable } from '../json/index.ts';

/** Checks an example; a schema that can only be checked asynchronously is left to the first call. */
export function checkExample(schema: StandardSchemaV1 | undefined, value: unknown, wrong: (why: string) => never): void {
  const result = schema?.['~standard'].validate(value);
  if (isThenable(result)) {
    result.then(undefined, () => undefined);
    return;
  }
  if (result?.issues !== undefined) {
    const issue = result.issues[0] ?? { message: 'it was refused' };
    wrong(`${pathOf(issue).join('.') || 'value'}: ${issue.message}`);
  }
}

/** Writes the input of a tool's first example, where it is short. */
export function exampleTextOf({ examples }: { readonly examples?: readonly { readonly input: unknown }[] }): string | undefined {
  const text = examples?.[0] && JSON.stringify(examples[0].input);
  return text !== undefined && text.length <= 200 ? text : undefined;
}
