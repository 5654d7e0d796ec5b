import { isRecord } from '../../json/index.ts';
import { wordsOf } from './words-of.ts';

/** A tool as it is indexed. */
export interface IndexedTool {
  readonly name: string;
  readonly description: string;
  readonly effects: string;
  readonly inputSchema: object;
  readonly examples: readonly { readonly input: unknown }[];
}

/** The parts of a tool that are searched; the summary is the first sentence of the description, the details are values and descriptions of parameters. */
export type ToolPart = 'name' | 'summary' | 'description' | 'parameters' | 'details';

/** The words of a tool. */
export type ToolWords = Readonly<Record<ToolPart, readonly string[]>>;

/** Words that are not looked for further: what a long description says later is about something else. */
const longest = { summary: 200, description: 1_000, fieldDescription: 100, fields: 4_000, details: 6_000, example: 300 } as const;
const mostFields = 60;
const mostValues = 20;
const mostExamples = 3;

/** Reads the words of a tool. */
export function readToolWords({ name, description, inputSchema, examples }: IndexedTool): ToolWords {
  const sentence = /^[\s\S]*?[.!?\n](?=\s|$)/.exec(description.slice(0, longest.summary))?.[0];
  const summary = sentence ?? description.slice(0, longest.summary);
  const fields: string[] = [];
  const details: string[] = [];
  readFields(inputSchema, 0, fields, details);
  for (const { input } of examples.slice(0, mostExamples)) details.push((JSON.stringify(input) ?? '').slice(0, longest.example));
  return {
    name: wordsOf(name),
    summary: wordsOf(summary),
    description: wordsOf(description.slice(summary.length, longest.description)),
    parameters: wordsOf(fields.join(' ').slice(0, longest.fields)),
    details: wordsOf(details.join(' ').slice(0, longest.details)),
  };
}

/** Reads the names, values and descriptions of parameters, two levels deep. */
function readFields(schema: unknown, depth: number, fields: string[], details: string[]): void {
  if (!isRecord(schema)) return;
  const { properties, items, anyOf, oneOf, allOf } = schema;
  for (const [key, field] of isRecord(properties) ? Object.entries(properties) : []) {
    if (fields.length >= mostFields) return;
    fields.push(key.slice(0, longest.fieldDescription));
    if (!isRecord(field)) continue;
    const { description, enum: values } = field;
    if (typeof description === 'string') details.push(description.slice(0, longest.fieldDescription));
    if (Array.isArray(values)) details.push(...values.slice(0, mostValues).filter((value) => typeof value === 'string'));
    if (depth === 0) readFields(field, 1, fields, details);
  }
  readItems(items, depth, fields, details);
  for (const list of [anyOf, oneOf, allOf])
    if (Array.isArray(list)) for (const part of list.slice(0, 5)) readItems(part, depth, fields, details);
}

function readItems(schema: unknown, depth: number, fields: string[], details: string[]): void {
  // A list of lists of lists ends too.
  if (fields.length < mostFields && depth < 4) readFields(schema, depth + 1, fields, details);
}
