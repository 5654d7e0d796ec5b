import { isRecord } from '../../../core/json/index.ts';
import type { ToolFailure } from '../../../core/outcome/index.ts';
import { type BrokenSchema, brokenInput, brokenOutput, brokenSchema } from '../frameworks/broken-schema.ts';

/** How Mastra begins what it says of a value that breaks a schema of the tool, and what that means. Its object has no other mark. */
const verdicts: readonly (readonly [start: string, means: BrokenSchema])[] = [
  ['Tool input validation failed', brokenInput],
  ['Tool output validation failed', brokenOutput],
  [
    'Request context validation failed',
    { kind: 'not_configured', says: "The request context does not fit the tool's schema", effect: 'none' },
  ],
  ['Tool suspension data validation failed', { kind: 'invalid_output', says: 'What the tool suspends with does not fit its schema' }],
];

/** Recognises the object that Mastra returns, instead of throwing, when a value breaks a schema of the tool. */
export function refusedValue(result: unknown): ToolFailure | undefined {
  if (!isRecord(result) || result.error !== true || !isRecord(result.validationErrors)) return undefined;
  // The rest of the message repeats the value.
  const [, means] = verdicts.find(([start]) => String(result.message).startsWith(start)) ?? ['', unknownValue];
  return brokenSchema(means, foundIn(result.validationErrors));
}

const unknownValue: BrokenSchema = { kind: 'internal', says: 'A value of the tool does not fit its schema' };

interface Found {
  readonly path: readonly string[];
  readonly message: string;
}

function foundIn({ errors, fields }: Readonly<Record<string, unknown>>, path: readonly string[] = []): Found[] {
  const own = (Array.isArray(errors) ? errors : []).map((why): Found => ({ path, message: String(why) }));
  const inner = Object.entries(isRecord(fields) ? fields : {}).flatMap(([name, field]) =>
    isRecord(field) ? foundIn(field, [...path, name]) : [],
  );
  return [...own, ...inner];
}
