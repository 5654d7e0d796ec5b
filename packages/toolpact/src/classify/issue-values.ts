import { peek } from '../json/index.ts';

/** Lists the values that an issue of a schema library complains about. Some libraries repeat them in their messages. */
export function issueValues(issue: unknown): readonly unknown[] {
  // The `input` of an issue with `data` is the rule.
  const own = ['data', 'value', 'input'].map((name) => peek(issue, name)).find((value) => value !== undefined);
  // In any other issue this is the name of a type.
  const received = /^invalid_(?:enum_value|literal)$/.test(String(peek(issue, 'code'))) ? peek(issue, 'received') : undefined;
  return [own, received, peek(peek(issue, 'context'), 'value')].filter((value) => value !== undefined);
}
