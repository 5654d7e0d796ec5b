import { isRecord } from '../../json/index.ts';
import { ToolFailure } from '../../outcome/index.ts';

/** Any object of a provider's answer. */
export type Fields = Readonly<Record<string, unknown>>;

/** Takes a value as an object; anything else has no fields. */
export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? (value as Fields) : {};
}

/** Takes a value as a list of objects; anything else is empty. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

/** Takes a value as text; anything else is empty. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Token usage of the model, summed over all rounds. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
}

/** Reads counts of tokens; a missing count is 0. */
export function usageOf(input: unknown, output: unknown, total?: unknown): Usage {
  const [inputTokens, outputTokens] = [countOf(input), countOf(output)];
  return { inputTokens, outputTokens, totalTokens: total === undefined ? inputTokens + outputTokens : countOf(total) };
}

function countOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

/** Says that a provider's answer makes no sense. */
export function unreadable(what: string): never {
  throw new ToolFailure('bad_response', `The model provider's answer cannot be read: ${what}.`);
}
