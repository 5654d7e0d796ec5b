import { exportJsonSchema } from '../contract/index.ts';
import { isRecord, type JsonObject, type JsonValue } from '../json/index.ts';
import { type Effect, type Failure, fail, isFailureKind, refuseOptions, ToolFailure, toToolFailure } from '../outcome/index.ts';
import type { StepEnd, StepEntry, StepQuestion } from '../ports/index.ts';
import { toJsonData } from './outcomes/to-json-data.ts';

/** How a step ended, as JSON that a memory keeps. */
export interface StepRecord {
  readonly v: 1;
  readonly failed: boolean;
  readonly effect: Effect;
  readonly value?: JsonValue;
  /** The thrown or returned failure. */
  readonly error?: Failure;
  readonly data?: JsonValue;
  readonly returned?: true;
}

/**
 * Turns the end of a step into JSON. What it threw is kept as the failure that callers would read of it; a result that is too large, or no JSON,
 * becomes a failure that names the step.
 */
export function toStepRecord({ name, effects, maxChars, toFailure }: StepEntry, { failed, value, thrown, ...end }: StepEnd): StepRecord {
  const effect = effects === 'none' ? 'none' : end.effect;
  const problem = thrown ?? (value instanceof Error ? value : undefined);
  if (problem !== undefined) {
    const data = ToolFailure.isInstance(problem) ? problem.options.data : undefined;
    const error = toFailure(problem, effect);
    return { v: 1, failed, effect, error, ...(data !== undefined && { data }), ...(thrown === undefined && { returned: true }) };
  }
  const json = toJsonData(value, maxChars);
  if (json.ok && !json.truncated) return { v: 1, failed, effect, value: json.value as JsonValue };
  const why = json.ok ? `it has more than ${maxChars} characters` : json.problem;
  const refused = fail('invalid_output', `The result of the step "${name}" cannot be kept: ${why}.`, { details: { step: name } });
  return { v: 1, failed: true, effect, error: toFailure(refused, effect) };
}

/** Reads what {@link toStepRecord} made; undefined for anything else. */
export function fromStepRecord(record: unknown): StepEnd | undefined {
  const { v, failed, effect, error, data, returned, value } = (record ?? {}) as Partial<StepRecord>;
  if (v !== 1 || typeof failed !== 'boolean' || effect === undefined) return undefined;
  if (error === undefined) return value === undefined ? undefined : { failed, effect, value };
  if (!isRecord(error) || !isFailureKind(error.kind)) return undefined;
  const made = toToolFailure({ ...error, effect }, data);
  return { failed, effect, ...(returned === true ? { value: made } : { thrown: made }) };
}

/** A question as it is shown, and the function that checks an answer: it gives the answer as the tool reads it, or says what is wrong. */
export interface ShownQuestion {
  readonly message: string;
  /** Undefined where the schema cannot be exported. */
  readonly schema: JsonObject | undefined;
  readonly check: (answer: unknown) => Promise<{ readonly answer: unknown } | { readonly problem: string }>;
}

/** Reads a question that a tool asks in the middle of a call. */
export function toQuestion({ name, schema, options }: StepQuestion): ShownQuestion {
  refuseOptions(`waitFor "${name}"`, options, { message: true });
  const standard = schema['~standard'];
  return {
    message: options.message ?? name,
    schema: standard.jsonSchema === undefined ? undefined : exportJsonSchema(schema, 'input'),
    async check(given) {
      const result = await standard.validate(given);
      return result.issues === undefined ? { answer: result.value } : { problem: result.issues.map(({ message }) => message).join('; ') };
    },
  };
}
