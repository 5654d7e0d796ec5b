import type { CallContext, Effects, RetryRule, StandardResult } from '../contract/index.ts';
import type { EventSink } from '../events/index.ts';
import type { Content, FailureKind, JsonObject, JsonValue, Outcome, Redactor } from '../outcome/index.ts';
import type { CallHooks, Guard, Promised, Report, Telemetry } from './ports.ts';
import type { ResourcePort } from './resource-port.ts';

/** A tool compiled for calling: everything a call needs, looked up once at definition. */
export interface ToolPlan {
  readonly name: string;
  /** Undefined for a tool that does not exist. */
  readonly description: string | undefined;
  readonly effects: Effects;
  readonly timeoutMs: number | undefined;
  readonly checkInput: ((value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>) | undefined;
  readonly checkOutput: ((value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>) | undefined;
  readonly run: (input: never, context: never) => unknown;
  /** The types of resources that are opened before it runs, if any; it then says itself when it runs. */
  readonly needs?: readonly string[] | undefined;
  readonly failures: Readonly<Record<string, FailureKind>> | undefined;
  readonly onFailure: unknown;
  readonly toModel: ((data: never) => string | readonly Content[]) | undefined;
  readonly idempotency: { readonly key?: (input: never) => JsonValue; readonly ttlMs?: number } | undefined;
  readonly reconcile: ((input: never, context: never) => unknown) | undefined;
  readonly retry: RetryRule | false | undefined;
  readonly cache: { readonly ttlMs: number } | undefined;
  readonly deferAfterMs: number | undefined;
  readonly approval: boolean | ((input: never) => boolean | string) | undefined;
  /** Whether `run` marks where it changes the outside world. */
  readonly marksEffect: boolean;
  readonly echoInput: boolean | undefined;
  readonly maxResultChars: number | undefined;
  readonly exampleText: string | undefined;
  /** Promises that need a guard. */
  readonly promised: readonly Promised[];
  /** The JSON Schemas, exported on first use. Throws where a schema has none. */
  readonly schemas: () => { readonly input: JsonObject; readonly output: JsonObject | undefined };
}

/** How a toolbox, or a bare tool, runs its calls. */
export interface CallSettings {
  readonly keeps: ReadonlySet<Promised>;
  /** Guards that stand around every call, also one that will not run. */
  readonly early: readonly Guard[];
  readonly guards: readonly Guard[];
  readonly redactor: Redactor;
  readonly expose: 'redacted' | 'authored';
  readonly report: Report | undefined;
  readonly hooks: CallHooks | undefined;
  readonly events: EventSink | undefined;
  /** Whether calls make events: somebody hears them, or a guard keeps them. */
  readonly watched: boolean;
  readonly telemetry: Telemetry | undefined;
  readonly resources: ResourcePort | undefined;
  readonly timeoutMs: number;
  readonly echoInput: boolean;
  readonly maxResultChars: number;
  /** Asks a tool what became of a call. */
  readonly reconcile: (plan: ToolPlan, args: unknown, context: CallContext) => Promise<Outcome | 'none' | undefined>;
}
