import { isObject } from '../json/index.ts';
import { type JsonObject, knownOptions, refuseOptions, ToolpactError } from '../outcome/index.ts';
import type { InferOutput, StandardSchemaV1 } from './standard-schema.ts';

/** The definition of a backend: how to open and close one value, and how long to keep it. */
export interface ResourceContract<TValue, TConfig extends StandardSchemaV1> {
  /** Names the resource: letters, digits, "_", "." and "-", at most 64 characters. Tools ask for it by this name. */
  readonly type: string;
  /** Checks what a caller may set when it creates a session; defaults belong into the schema. Without it `open` gets whatever was sent. */
  readonly config?: TConfig;
  /** Prepares what all values need, such as an image or a model. It runs once per process, before the first `open`, and again only after it failed. */
  readonly warmUp?: (context: { readonly signal: AbortSignal }) => unknown;
  /** Opens one value: a kernel, a browser, a connection. It may take long and may throw anything. */
  readonly open: (context: OpenContext<InferOutput<TConfig>>) => TValue | Promise<TValue>;
  /** Closes a value. It is called exactly once for every value that was opened, and no tool uses the value afterwards. */
  readonly close?: (value: TValue) => unknown;
  /** How long a session lives without being used; `Infinity` for as long as the process. @default 300_000 */
  readonly ttlMs?: number;
  /** How long `warmUp` and `open` may each take. @default 120_000 */
  readonly openTimeoutMs?: number;
  /** How long `close` is waited for. @default 10_000 */
  readonly closeTimeoutMs?: number;
  /** One value for all callers of a tenant, or with `process` for all tenants too; otherwise every worker has its own. @default false */
  readonly shared?: boolean | 'process';
  /** Whether a call without a session gets one for as long as it runs; if not, it is refused. @default true */
  readonly temporary?: boolean;
}

/** Arguments of `open`. */
export interface OpenContext<TConfig = JsonObject> {
  /** The tenant the value is for, or the nil UUID. */
  readonly tenantId: string;
  /** Whose session it is; undefined for a shared one. */
  readonly worker: string | undefined;
  readonly sessionId: string;
  readonly sessionName: string;
  /** Whether the value is closed as soon as the calls that use it have ended. */
  readonly temporary: boolean;
  readonly config: TConfig;
  /** Fires when no call needs the value any more, or when its time is over. */
  readonly signal: AbortSignal;
}

/** Something that tools need and that has to be opened first. Made by {@link defineResource}; `createResources` brings it to life. */
export interface Resource<out TValue = unknown> {
  readonly type: string;
  readonly config: StandardSchemaV1 | undefined;
  readonly warmUp: ((context: { readonly signal: AbortSignal }) => unknown) | undefined;
  readonly open: (context: OpenContext<never>) => TValue | Promise<TValue>;
  readonly close: ((value: never) => unknown) | undefined;
  readonly ttlMs: number;
  readonly openTimeoutMs: number;
  readonly closeTimeoutMs: number;
  readonly shared: false | 'tenant' | 'process';
  readonly temporary: boolean;
}

type AnyConfig = StandardSchemaV1<JsonObject, JsonObject>;

/**
 * Defines a resource once: plain data and functions, nothing is opened yet. Mistakes in the definition throw here and now.
 *
 * @example
 * const kernel = defineResource({
 *   type: 'kernel',
 *   open: ({ signal }) => startKernel({ signal }),
 *   close: (started) => started.shutdown(),
 * });
 */
export function defineResource<TValue, TConfig extends StandardSchemaV1 = AnyConfig>(
  definition: ResourceContract<TValue, TConfig>,
): Resource<TValue> {
  checkDefinition(definition);
  const { type, config, warmUp, open, close, shared = false, temporary = true } = definition;
  const { ttlMs = 300_000, openTimeoutMs = 120_000, closeTimeoutMs = 10_000 } = definition;
  return Object.freeze({
    type,
    config,
    warmUp,
    open: open as Resource<TValue>['open'],
    close,
    ttlMs,
    openTimeoutMs,
    closeTimeoutMs,
    shared: shared === true ? 'tenant' : shared,
    temporary,
  });
}

const parts: Readonly<Record<keyof ResourceContract<unknown, AnyConfig>, (value: unknown) => boolean>> = {
  type: (value) => typeof value === 'string' && /^[A-Za-z][\w.-]{0,63}$/.test(value),
  config: (value) => typeof (value as Partial<StandardSchemaV1> | null)?.['~standard']?.validate === 'function',
  warmUp: isFunction,
  open: isFunction,
  close: isFunction,
  ttlMs: isTime,
  openTimeoutMs: isTime,
  closeTimeoutMs: isTime,
  shared: (value) => typeof value === 'boolean' || value === 'process',
  temporary: (value) => typeof value === 'boolean',
};

const expected: Readonly<Record<string, string>> = {
  type: 'a name of letters, digits, "_", "." and "-", at most 64 characters long',
  config: 'a Standard Schema',
  ttlMs: 'a number above 0',
  openTimeoutMs: 'a number above 0',
  closeTimeoutMs: 'a number above 0',
  shared: "true, false or 'process'",
  temporary: 'true or false',
};

function checkDefinition(definition: Readonly<Partial<Record<keyof ResourceContract<unknown, AnyConfig>, unknown>>>): void {
  if (!isObject(definition)) throw new ToolpactError('invalid_definition', 'a resource needs a definition');
  const { type, shared, temporary } = definition;
  const wrong = (what: string): never => {
    throw new ToolpactError('invalid_definition', `resource "${String(type)}": ${what}`, { resource: String(type) });
  };
  refuseOptions(`resource "${String(type)}"`, definition, knownOptions(parts));
  for (const [key, isRight] of Object.entries(parts)) {
    const value: unknown = definition[key as keyof typeof definition];
    if (value === undefined && key !== 'type' && key !== 'open') continue;
    if (!isRight(value)) wrong(`${key} must be ${expected[key] ?? 'a function'}`);
  }
  if (shared !== undefined && shared !== false && temporary !== undefined) {
    wrong('what is shared is never temporary; leave one of the two out');
  }
}

function isFunction(value: unknown): boolean {
  return typeof value === 'function';
}

function isTime(value: unknown): boolean {
  return typeof value === 'number' && value > 0;
}
