import type { Expose } from '../classify/index.ts';
import type { ApprovalAsk, ApprovalRules, Effects, RetryRule, SessionPort, StandardResult } from '../contract/index.ts';
import type { Dispatcher } from '../events/index.ts';
import { isObject } from '../json/index.ts';
import type { Content, FailureKind, JsonObject, JsonValue, Redactor } from '../outcome/index.ts';
import type { Guard, Promised, ResourcePort, Telemetry } from '../ports/index.ts';
import type { Report } from './failure-report.ts';
import type { Preset } from './preset.ts';

/** A tool compiled for calling: everything a call needs, looked up once at definition. */
export interface ToolPlan {
  readonly name: string;
  /** Undefined for a tool that does not exist. */
  readonly description: string | undefined;
  readonly effects: Effects;
  /** Whether its definition states its effects; one that does not counts as writing. */
  readonly declaresEffects: boolean;
  readonly timeoutMs: number | undefined;
  readonly checkInput: ((value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>) | undefined;
  readonly checkOutput: ((value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>) | undefined;
  readonly run: (input: never, context: never) => unknown;
  /** The types of resources that are opened before it runs, if any; it then says itself when it runs. */
  readonly needs?: readonly string[] | undefined;
  readonly failures: Readonly<Record<string, FailureKind>> | undefined;
  readonly onFailure: unknown;
  readonly resourceType: string | undefined;
  readonly toModel: ((data: never) => string | readonly Content[]) | undefined;
  /** Whether `run` changes the outside world inside `ctx.step` only. */
  readonly steps: boolean;
  readonly echoInput: boolean | undefined;
  readonly expose: Expose | undefined;
  readonly classify: 'words' | 'structure' | undefined;
  readonly maxResultChars: number | undefined;
  readonly redact: { readonly results: boolean } | undefined;
  readonly exampleText: string | undefined;
  /** The options of the tool that guards read. */
  readonly guardOptions: GuardOptions;
  /** Promises that need a guard. */
  readonly requires: readonly Promised[];
  /** The JSON Schemas, exported on first use. Throws where a schema has none. */
  readonly schemas: () => { readonly input: JsonObject; readonly output: JsonObject | undefined };
}

/** The key under which a tool keeps its plan. Known to every copy of the library: tools of one may be used in toolboxes of another. */
export const planKey = Symbol.for('toolpact.plan');

/** Finds the plan of a tool; undefined for anything else. */
export function findPlan(tool: unknown): ToolPlan | undefined {
  return isObject(tool) ? (tool as { readonly [planKey]?: ToolPlan })[planKey] : undefined;
}

/** The options of a tool that need a guard. */
export interface GuardOptions {
  readonly idempotency?: { readonly key?: (input: never) => JsonValue; readonly ttlMs?: number } | undefined;
  readonly preview?: ((input: never, context: never) => unknown) | undefined;
  readonly reconcile?: ((input: never, context: never) => unknown) | undefined;
  readonly retry?: RetryRule | false | undefined;
  readonly cache?: { readonly ttlMs: number } | undefined;
  readonly deferAfterMs?: number | undefined;
  readonly approval?: ApprovalAsk<never> | ApprovalRules<never> | undefined;
}

/** The guards of a toolbox in their order. */
export interface ArrangedGuards {
  /** The memory of calls, if there is a store. */
  readonly keeping?: unknown;
  /** All of them, as they were given. */
  readonly use: readonly Guard[];
  /** Those that stand around every call, also one that will not run. */
  readonly outer: readonly Guard[];
  readonly guards: readonly Guard[];
  readonly provides: ReadonlySet<Promised>;
  /** Whether no call of a batch may run before all have passed their approvals. */
  readonly hasApproval: boolean;
  /** Whether some guard keeps the events of calls. */
  readonly watched: boolean;
}

/** How a toolbox, or a bare tool, runs its calls. */
export interface CallSettings extends ArrangedGuards {
  readonly redactor: Redactor;
  readonly expose: Expose;
  readonly classify: 'words' | 'structure';
  readonly report: Report | undefined;
  /** Gives events to the listeners of the toolbox. */
  readonly dispatcher: Dispatcher;
  /** The session that the toolbox is bound to as a whole. */
  readonly session: SessionPort | undefined;
  readonly telemetry: Telemetry | undefined;
  readonly resources: ResourcePort | undefined;
  /** For tools that state none; the caller cannot have more. */
  readonly timeoutMs: number | undefined;
  readonly echoInput: boolean;
  readonly repair: boolean;
  readonly preset: Preset | undefined;
  readonly maxResultChars: number;
}

/** The fields that a plan copies from the definition of its tool, without values. */
export const nothingStated = {
  name: '',
  description: undefined,
  effects: 'none',
  timeoutMs: undefined,
  failures: undefined,
  onFailure: undefined,
  resourceType: undefined,
  toModel: undefined,
  echoInput: undefined,
  expose: undefined,
  classify: undefined,
  maxResultChars: undefined,
  redact: undefined,
} as const;

/** A plan in which nothing is stated. All plans start from it. */
export const noPlan: ToolPlan = {
  ...nothingStated,
  checkInput: undefined,
  checkOutput: undefined,
  run: () => undefined,
  needs: undefined,
  declaresEffects: false,
  steps: false,
  exampleText: undefined,
  guardOptions: {},
  requires: [],
  schemas: () => ({ input: {}, output: undefined }),
};
