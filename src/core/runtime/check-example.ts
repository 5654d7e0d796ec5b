import { pathOf, type StandardSchemaV1 } from '../contract/index.ts';
import { takePromise } from '../json/index.ts';

/** Checks an example; a schema that can only be checked asynchronously is left to the first call. */
export function checkExample(schema: StandardSchemaV1 | undefined, value: unknown, wrong: (why: string) => never): void {
  const result = schema?.['~standard'].validate(value);
  takePromise(result);
  const { issues } = (result ?? {}) as { readonly issues?: readonly Parameters<typeof pathOf>[0][] };
  if (issues) {
    const issue = issues[0] ?? { message: 'it was refused' };
    wrong(`${pathOf(issue).join('.') || 'value'}: ${issue.message}`);
  }
}

/** Writes the input of a tool's first example, where it is short. */
export function exampleTextOf({ examples }: { readonly examples?: readonly { readonly input: unknown }[] }): string | undefined {
  const text = examples?.[0] && JSON.stringify(examples[0].input);
  return text !== undefined && text.length <= 200 ? text : undefined;
}
