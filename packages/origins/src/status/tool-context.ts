import type { StandardIssue, StandardResult, StandardSchemaV1 } from 'toolpact';
import { ToolpactError } from 'toolpact';
import { noTenant } from 'toolpact/extend';
import type { StandardJsonSchema } from 'toolpact/internal';
import { createRunId, expectArgument, isObject, isRecord, toUuid } from 'toolpact/internal';

/** Runtime facts that travel with a tool call, in snake_case. Frozen, auth included. */
export interface ToolContext {
  /** A UUID; the nil UUID stands for no tenant. */
  readonly tenant_id: string;
  readonly request_id?: string;
  readonly trace_id: string;
  /** A UUID, one per tool execution. */
  readonly invocation_id: string;
  /** UTC as Python's `isoformat()` writes it: `2024-05-03T12:34:56.123456+00:00`, without the fraction where it is zero. */
  readonly now_iso: string;
  /** The run of an agent or graph. Exactly one of this and `ingestion_run_id` is set. */
  readonly run_id?: string;
  /** The run of an upload or ingestion. */
  readonly ingestion_run_id?: string;
  readonly workflow_id?: string;
  readonly collection_id?: string;
  readonly document_id?: string;
  readonly document_version_id?: string;
  readonly case_id?: string;
  readonly idempotency_key?: string;
  /** Time for the whole call in milliseconds. */
  readonly timeouts_ms?: number;
  readonly budget_tokens?: number;
  readonly locale?: string;
  readonly safety_mode?: string;
  readonly auth?: Readonly<Record<string, unknown>>;
}

/** Input that reads as a `ToolContext`: null counts as absent, a `Date` is a time, unknown keys are ignored. */
export type ToolContextInput = { readonly [TKey in keyof ToolContext]: ToolContext[TKey] | (TKey extends RequiredField ? never : null) } & {
  readonly now_iso: string | Date;
};

/** Input of `createContext`; every field is optional. */
export type ToolContextParts = {
  readonly [TKey in keyof ToolContext]?: ToolContext[TKey] | (TKey extends 'now_iso' ? Date : never) | null | undefined;
};

type RequiredField = 'tenant_id' | 'trace_id' | 'invocation_id' | 'now_iso';
type Standard = StandardSchemaV1<ToolContextInput, ToolContext>['~standard'];
type Check = (value: unknown) => { readonly value: unknown } | { readonly problem: string };

/** Validates a `ToolContext`, converts its time to UTC, and freezes it. Works synchronously and never throws. */
export const toolContextSchema: {
  readonly '~standard': Omit<Standard, 'validate' | 'jsonSchema'> & {
    readonly validate: (value: unknown) => StandardResult<ToolContext>;
    readonly jsonSchema: StandardJsonSchema;
  };
} = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate,
    jsonSchema: {
      input: ({ target }) => toSchema(target, true),
      output: ({ target }) => toSchema(target, false),
    },
  },
};

/** Builds a `ToolContext` and fills what is missing. Throws a `TypeError` that lists everything that is wrong. */
export function createContext(parts: ToolContextParts = {}): ToolContext {
  expectArgument(isRecord(parts), 'createContext takes an object with the parts of a tool context');
  const result = validate(fillContext(parts));
  if (result.issues === undefined) return result.value;
  throw new ToolpactError('invalid_argument', `invalid tool context: ${result.issues.map(({ message }) => message).join('; ')}`);
}

/** Returns parts of a context the ids and the time that every context has. */
function fillContext(parts: ToolContextParts): ToolContextParts {
  const hasRun = (parts.run_id ?? parts.ingestion_run_id ?? undefined) !== undefined;
  return {
    ...parts,
    tenant_id: parts.tenant_id ?? noTenant,
    trace_id: parts.trace_id ?? randomHex(),
    invocation_id: parts.invocation_id ?? crypto.randomUUID(),
    now_iso: parts.now_iso ?? new Date(),
    ...(hasRun ? {} : { run_id: createRunId() }),
  };
}

/** Creates an id for the run of an upload or ingestion. */
export function createIngestionRunId(): string {
  return `ingest_${randomHex()}`;
}

const timePattern = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d\d)(?::?(\d\d))?)?$/i;

const text: Check = (value) => (typeof value === 'string' ? { value } : { problem: 'must be a string' });

const filledText: Check = (value) =>
  typeof value === 'string' && value !== '' ? { value } : { problem: 'must be a string that is not empty' };

const uuid: Check = (value) => {
  const uuid = toUuid(value);
  return uuid === undefined ? { problem: 'must be a UUID' } : { value: uuid };
};

const integer: Check = (value) => (Number.isSafeInteger(value) ? { value } : { problem: 'must be an integer' });

const positiveInteger: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? { value } : { problem: 'must be an integer above 0' };

const record: Check = (value) => (isRecord(value) ? { value: toFrozen(value, new Map()) } : { problem: 'must be an object' });

const time: Check = (value) => {
  const written = value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  const parts = typeof written === 'string' ? timePattern.exec(written) : null;
  if (parts === null) return { problem: 'must be an ISO 8601 date and time' };
  const [, day = '', clock, seconds = '00', fraction = '', zulu, sign, hours = '0', minutes = '0'] = parts;
  if (zulu === undefined && sign === undefined) return { problem: 'must carry a time zone' };
  const local = new Date(`${day}T${clock}:${seconds}Z`);
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60_000 : 60_000);
  // Some engines roll 30 February over into March instead of refusing it.
  const real = !Number.isNaN(local.getTime()) && local.toISOString().startsWith(day) && Number(hours) < 24 && Number(minutes) < 60;
  const utc = real ? new Date(local.getTime() - offset).toISOString() : '';
  if (utc.length !== 24 || utc < '0001') return { problem: 'must be a date and time that exists' };
  const micros = fraction.padEnd(6, '0').slice(0, 6);
  return { value: `${utc.slice(0, 19)}${micros === '000000' ? '' : `.${micros}`}+00:00` };
};

const string = { type: 'string' };
const fields: Readonly<Record<keyof ToolContext, readonly [check: Check, schema: Readonly<Record<string, unknown>>]>> = {
  tenant_id: [uuid, { ...string, format: 'uuid' }],
  request_id: [text, string],
  trace_id: [filledText, { ...string, minLength: 1 }],
  invocation_id: [uuid, { ...string, format: 'uuid' }],
  now_iso: [time, { ...string, format: 'date-time' }],
  run_id: [filledText, { ...string, minLength: 1 }],
  ingestion_run_id: [filledText, { ...string, minLength: 1 }],
  workflow_id: [text, string],
  collection_id: [text, string],
  document_id: [text, string],
  document_version_id: [text, string],
  case_id: [text, string],
  idempotency_key: [text, string],
  timeouts_ms: [positiveInteger, { type: 'integer', minimum: 1 }],
  budget_tokens: [integer, { type: 'integer' }],
  locale: [text, string],
  safety_mode: [text, string],
  auth: [record, { type: 'object' }],
};
const required: readonly string[] = ['tenant_id', 'trace_id', 'invocation_id', 'now_iso'] satisfies RequiredField[];

function validate(given: unknown): StandardResult<ToolContext> {
  try {
    return read(given);
  } catch {
    return { issues: [{ message: 'the context cannot be read' }] };
  }
}

function read(given: unknown): StandardResult<ToolContext> {
  if (!isRecord(given)) return { issues: [{ message: 'the context must be an object' }] };
  const context: Record<string, unknown> = {};
  const issues: StandardIssue[] = [];
  for (const [name, [check]] of Object.entries(fields)) {
    const value: unknown = given[name as keyof typeof given] ?? undefined;
    if (value === undefined) {
      if (required.includes(name)) issues.push({ message: `${name} is required`, path: [name] });
      continue;
    }
    const checked = check(value);
    if ('problem' in checked) issues.push({ message: `${name} ${checked.problem}`, path: [name] });
    context[name] = 'problem' in checked ? value : checked.value;
  }
  if ('run_id' in context === 'ingestion_run_id' in context) {
    issues.push({ message: 'exactly one of run_id and ingestion_run_id must be set', path: ['run_id'] });
  }
  return issues.length > 0 ? { issues } : { value: Object.freeze(context) as unknown as ToolContext };
}

function toSchema(target: string, nullable: boolean): Record<string, unknown> {
  const openApi = target === 'openapi-3.0';
  const properties = Object.entries(fields).map(([name, [, schema]]) => {
    if (!nullable || required.includes(name)) return [name, { ...schema }];
    return [name, openApi ? { ...schema, nullable: true } : { ...schema, type: [schema.type, 'null'] }];
  });
  const oneRun = (name: string) => ({ required: [name], properties: { [name]: { type: 'string' } } });
  return {
    ...(openApi
      ? {}
      : { $schema: target === 'draft-07' ? 'http://json-schema.org/draft-07/schema#' : 'https://json-schema.org/draft/2020-12/schema' }),
    title: 'ToolContext',
    type: 'object',
    properties: Object.fromEntries(properties),
    required: [...required],
    oneOf: [oneRun('run_id'), oneRun('ingestion_run_id')],
    ...(openApi ? { example } : { examples: [example] }),
  };
}

const example: ToolContext = Object.freeze({
  tenant_id: '5aa31da6-9278-4da0-9f1a-61b8d3edc5cc',
  request_id: '8607a8d9-0f3f-43df-bf86-37e845e1574c',
  trace_id: 'trace-123',
  run_id: 'graph_run_cfe213',
  workflow_id: 'retrieval_augmented_generation',
  invocation_id: '0f4e6712-6d04-4514-b6cb-943b0667d45c',
  now_iso: '2024-05-03T12:34:56.123456+00:00',
  collection_id: 'hr-onboarding',
  case_id: 'crm-7421',
  locale: 'de-DE',
  timeouts_ms: 120_000,
  budget_tokens: 4_096,
});

/** Copies and freezes plain objects and lists; anything else, such as a credential provider, stays itself. */
function toFrozen(value: unknown, seen: Map<unknown, unknown>): unknown {
  if (!isObject(value) || seen.has(value)) return seen.get(value) ?? value;
  const prototype: unknown = Object.getPrototypeOf(value);
  const plain = prototype === null || Object.getPrototypeOf(prototype) === null;
  if (!plain && !Array.isArray(value)) return value;
  const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [] : {};
  seen.set(value, copy);
  for (const [key, item] of Object.entries(value)) {
    Object.defineProperty(copy, key, { value: toFrozen(item, seen), enumerable: true, writable: true, configurable: true });
  }
  return Object.freeze(copy);
}

function randomHex(): string {
  return crypto.randomUUID().replaceAll('-', '');
}
