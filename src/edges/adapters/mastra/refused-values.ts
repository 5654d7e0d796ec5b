import { isRecord } from '../../../core/json/index.ts';
import { type FailureKind, fail, type Issue, type ToolFailure } from '../../../core/outcome/index.ts';

/** How Mastra begins what it says of a value that breaks a schema of the tool, and what that means. Its object has no other mark. */
const verdicts: readonly (readonly [start: string, kind: FailureKind, says: string, effect?: 'none'])[] = [
  ['Tool input validation failed', 'invalid_input', 'The arguments do not fit the schema', 'none'],
  ['Request context validation failed', 'not_configured', "The request context does not fit the tool's schema", 'none'],
  ['Tool output validation failed', 'invalid_output', 'The result does not fit the schema'],
  ['Tool suspension data validation failed', 'invalid_output', 'What the tool suspends with does not fit its schema'],
];

/** Recognises the object that Mastra returns, instead of throwing, when a value breaks a schema of the tool. */
export function refusedValue(result: unknown): ToolFailure | undefined {
  if (!isRecord(result) || result.error !== true || !isRecord(result.validationErrors)) return undefined;
  const { message } = result;
  const [, kind, says, effect] = verdicts.find(([start]) => String(message).startsWith(start)) ?? ['', 'internal', 'A value does not fit'];
  const issues = issuesIn(result.validationErrors);
  // The message of Mastra repeats the value.
  const text = issues.map(({ path, message: why }) => (path.length === 0 ? why : `${path.join('.')}: ${why}`)).join('; ');
  return fail(kind, `${says}: ${text}`, { issues, ...(effect !== undefined && { effect }) });
}

function issuesIn({ errors, fields }: Readonly<Record<string, unknown>>, path: readonly string[] = []): Issue[] {
  const own = (Array.isArray(errors) ? errors : []).map((why): Issue => ({ path: [...path], problem: 'rule', message: String(why) }));
  const inner = Object.entries(isRecord(fields) ? fields : {}).flatMap(([name, field]) =>
    isRecord(field) ? issuesIn(field, [...path, name]) : [],
  );
  return [...own, ...inner];
}
