import type { Expose } from '../classify/index.ts';
import type {
  Content,
  ErrorOutcome,
  FailOptions,
  FailureKind,
  JsonObject,
  JsonValue,
  OkOutcome,
  OkReply,
  Outcome,
  PartialOutcome,
  PartialReply,
  PendingReply,
  Reply,
  ToolFailure,
} from '../outcome/index.ts';
import type { CallContext, CallSession, Progress } from './call-context.ts';
import type { Resource } from './define-resource.ts';
import type { RetryRule } from './retry-rule.ts';
import type { InferInput, InferOutput, ObjectSchema, StandardSchemaV1 } from './standard-schema.ts';

/**
 * The side effects of a tool: none, something that may be repeated without harm, or something that may not.
 */
export type Effects = 'none' | 'idempotent' | 'writes';

/** Names the failure codes a tool declares and the kind each one is. */
export type FailureCodes = Readonly<Record<string, FailureKind>>;

/** The type of an example. That a tool without arguments gets none is checked at definition. */
type ExampleOf<TInput extends StandardSchemaV1> = InferInput<TInput> extends Record<string, never> ? object : InferInput<TInput>;

/**
 * The promises of a tool, apart from how it runs.
 *
 * The compiler infers nothing from an object that lacks a required field and has an unknown one, such as `execute` in place of `run`. So that
 * it names the unknown field then, and not a schema that is right, `input` and `output` also take any schema.
 */
export interface ToolContract<
  TName extends string,
  TInput extends StandardSchemaV1,
  TOutput,
  TFailures extends FailureCodes,
  TData,
  TSteps extends true | undefined = true | undefined,
> {
  /** `action` or `resource:action`, at most 64 characters. */
  readonly name: TName;
  /** Says to the model what the tool is for. */
  readonly description: string;
  /** Any Standard Schema. Omit it for a tool without arguments. */
  readonly input?: TInput | ObjectSchema;
  /** Any Standard Schema. With it, every result is checked before anyone sees it. */
  readonly output?: TOutput | StandardSchemaV1;
  /** JSON Schemas for schema libraries that cannot export their own. */
  readonly jsonSchema?: { readonly input?: JsonObject; readonly output?: JsonObject };
  // Its values are written out, because the compiler lists them in its errors then.
  /**
   * The side effects of a call: none, the same however often it is repeated, or something each time. It decides what a
   * failure says about repeating. A tool that leaves it out counts as writing, and is never repeated after a failure whose effect is not
   * known; but what it throws in its author's own words is not told as something that may have taken effect.
   *
   * @default 'writes'
   */
  readonly effects?: 'none' | 'idempotent' | 'writes';
  /**
   * Says that the tool changes the outside world inside `ctx.step` only, which then exists in its context. So a failure knows whether it came
   * before, in or after a change. For tools that write.
   */
  readonly steps?: TSteps;
  /**
   * How long a call may take at most; then it ends as `timeout`, whatever the handler does. A caller may ask for less. Where neither states
   * a time, it is 30 seconds.
   */
  readonly timeoutMs?: number;
  /** The tool's own failure codes; they are typed in `outcome.error.code`. */
  readonly failures?: TFailures;
  /** A default for callers that need a value; null stands for none. It is kept apart from results: `outcome.fallback`. */
  readonly onFailure?: NoInfer<TData> | null | ((input: unknown) => NoInfer<TData> | null);
  /** Text or content blocks for the model; without it the model reads the data as JSON. */
  readonly toModel?: (data: NoInfer<TData>) => string | readonly Content[];
  /** Calls that work. They are checked against the schemas when the tool is defined. */
  readonly examples?: readonly { readonly input: ExampleOf<TInput>; readonly output?: NoInfer<TData> }[];
  /** Makes equal calls one call. Needs the `idempotency` guard. */
  readonly idempotency?: { readonly key?: (input: InferOutput<TInput>) => JsonValue; readonly ttlMs?: number };
  /**
   * Finds out what became of a call whose effect is not known, after a timeout or a crash: it took effect with this result, it did not, or
   * that is unknown. Needs the `idempotency` or the `journal` guard.
   */
  readonly reconcile?: (
    input: InferOutput<TInput>,
    context: RunContext,
  ) => Reconciled<NoInfer<TData>> | Promise<Reconciled<NoInfer<TData>>>;
  /** Lets the runtime try again what may succeed later and is safe to repeat. Needs the `retry` guard; `false` keeps it away from this tool. */
  readonly retry?: RetryRule | false;
  /** Keeps results for equal calls of one tenant; for tools with `effects: 'none'`. Needs the `cache` guard. */
  readonly cache?: { readonly ttlMs: number };
  /**
   * Whether a person has to allow the call first; a text is the question for that person. An object says besides who may decide, and for how
   * long. Needs a toolbox with a store.
   */
  readonly approval?: ApprovalAsk<InferOutput<TInput>> | ApprovalRules<InferOutput<TInput>>;
  /**
   * Works out what a call would do (a plan, a diff, a total) for the person who is asked to allow it. It only reads: it has no steps. It is
   * worked out again before the call runs, and another result is a `conflict` with the code `plan_changed`.
   */
  readonly preview?: (input: InferOutput<TInput>, context: RunContext) => unknown;
  /** Answers `pending` after this time while the tool goes on. Needs the `defer` guard. */
  readonly deferAfterMs?: number;
  /** Resources to open before the tool runs, by definition or by type. Needs a toolbox with `resources`. */
  readonly resource?: string | Resource | readonly (string | Resource)[];
  /** The type of resource that the tool works on, if none is opened; `meta.resourceType` of its outcomes and failures repeats it. */
  readonly resourceType?: string;
  /** Whether outcomes carry the checked arguments, or those received where the check failed. @default true */
  readonly echoInput?: boolean;
  /** How much of an unexpected error callers see. @default as the toolbox says */
  readonly expose?: Expose;
  /** How errors are classified. @default as the toolbox says */
  readonly classify?: 'words' | 'structure';
  /** Results above this many characters are cut. @default as the toolbox says: 100_000, about 25,000 tokens */
  readonly maxResultChars?: number;
  /** Whether secrets are hidden in the data and content of successful results too. @default as the toolbox says */
  readonly redact?: { readonly results: boolean };
}

/** Whether a person is asked about a call: always, never, with this question, or as a function says for the arguments. */
export type ApprovalAsk<TInput> = boolean | string | ((input: TInput) => boolean | string);

/** Whether a person is asked about a call, who may decide, and for how long. */
export interface ApprovalRules<TInput> {
  /** @default true */
  readonly ask?: ApprovalAsk<TInput>;
  /** The roles that may decide: one of them is enough. @default anybody whom the server or program lets decide */
  readonly by?: readonly string[];
  /** Whether the user whose agent asks may not approve it. Calls that do not say for whom they are made are refused. @default false */
  readonly fourEyes?: boolean;
  /** How long it can be approved, and used once approved. @default as `approvals` of the toolbox says */
  readonly expiresMs?: number;
  /** How to treat an equal call if nobody decided in time: ask again, or deny it for as long again. @default 'ask' */
  readonly onExpiry?: 'ask' | 'deny';
  /** Whether an approval may allow further calls like this one too. With `false`, each call is asked about. @default true */
  readonly grants?: boolean;
}

/** The finding of `reconcile` about a call whose effect was unknown. */
export type Reconciled<TData = unknown> = { readonly effect: 'applied'; readonly data: TData } | { readonly effect: 'none' | 'unknown' };

/** The context of a running tool. */
export interface RunContext<TApp = unknown, TCode extends string = string>
  extends Pick<
    CallContext<TApp>,
    | 'callId'
    | 'userId'
    | 'sessionId'
    | 'workerId'
    | 'runId'
    | 'requestId'
    | 'conversationId'
    | 'agentName'
    | 'ids'
    | 'idempotencyKey'
    | 'budgetTokens'
    | 'locale'
    | 'safetyMode'
    | 'auth'
  > {
  /** The tool's name. */
  readonly tool: string;
  /** The caller's tenant, or the nil UUID. */
  readonly tenantId: string;
  /** Names this call; operators find the cause of its failure under it. */
  readonly invocationId: string;
  /** The trace this call belongs to: the caller's, or a new one. */
  readonly traceId: string;
  /** When this call was made, as an ISO timestamp: by the caller's clock where the caller states it. */
  readonly now: string;
  /** Which attempt this is, counted from 1. */
  readonly attempt: number;
  /** Fires when the deadline passes or the caller stops the call. */
  readonly signal: AbortSignal;
  /** Milliseconds until the deadline. */
  readonly remainingMs: number;
  /** Stops the deadline of this call while a person is asked. Call the returned function to let it run on. */
  readonly pauseDeadline: () => () => void;
  /** The application's own context; typed by `defineTool.withContext`. */
  readonly app: TApp;
  /** The session this call runs in, when its toolbox or its caller gave one. */
  readonly session?: CallSession;
  /** Returns the value of a resource, opened if need be, typed when asked for by its definition. It is this call's only until `run` ends. */
  readonly resource: { <TValue>(resource: Resource<TValue>): Promise<TValue>; (type: string): Promise<unknown> };
  /** Creates a failure to throw or to return, by kind or by a code the tool declared. */
  readonly fail: (kindOrCode: FailureKind | TCode, message: string, options?: FailOptions) => ToolFailure<TCode>;
  /** Reports to the caller how far this call has come. */
  readonly progress: (progress: Progress | string) => void;
  /** Writes a line to the operator's log, redacted. */
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
}

/** The context of a running tool with `steps: true`. */
export interface StepRunContext<TApp = unknown, TCode extends string = string> extends RunContext<TApp, TCode> {
  readonly step: RunStep;
  /**
   * Waits. Where steps are remembered, the call answers `pending`, its clock stops, and it goes on when the time has passed, in another process
   * if need be; elsewhere it waits within its deadline.
   */
  readonly sleep: (ms: number) => Promise<void>;
  /**
   * Asks for an input or a decision in the middle of the call, which answers `pending` until `toolbox.settle` gives what fits the schema. Needs
   * a memory: the `journal` guard or an engine.
   */
  readonly waitFor: <TSchema extends StandardSchemaV1>(
    name: string,
    schema: TSchema,
    options?: WaitForOptions,
  ) => Promise<InferOutput<TSchema>>;
}

/** Options of a question in the middle of a call. */
export interface WaitForOptions {
  /** The question. @default the name */
  readonly message?: string;
}

/** The context of a tool, with or without steps. */
export type ContextFor<TSteps, TApp, TCode extends string> = TSteps extends true ? StepRunContext<TApp, TCode> : RunContext<TApp, TCode>;

/**
 * Runs one step that changes the outside world and gives what it returns. A result that was returned is kept over the attempts of one call, so
 * that no retry repeats it; a failure is not. With a memory (the `journal` guard or an engine) it is kept over crashes too, as JSON. The function gets a `key` that is the same for this step of this call, however often it is
 * tried (hand it to a service that takes idempotency keys), and a `signal` that fires when the call is stopped or out of time. Before the first step a failure has effect `none`; while one is under way, or after one threw
 * without saying more, `unknown`; once all have returned, `applied`.
 */
export type RunStep = <TResult>(
  name: string,
  fn: (key: string, signal: AbortSignal) => TResult | Promise<TResult>,
  options?: StepOptions<NoInfer<TResult>>,
) => Promise<TResult>;

/** Options of a step. */
export interface StepOptions<TResult = unknown> {
  /**
   * The side effects of the step. One with `none` does not count as an effect; one that is `idempotent` may be tried again although it
   * is not known whether it took effect.
   *
   * @default 'writes'
   */
  readonly effects?: Effects;
  /** How long one try may take; then it ends as `timeout`, and the signal of its function fires. @default what is left of the call */
  readonly timeoutMs?: number;
  /** Tries again what may succeed later and is safe to repeat: a step that `writes` only where its failure states the effect `none`. @default one try */
  readonly retry?: RetryRule;
  /** Finds out what became of this step after a crash, where it was begun and its end is not known. It gets the key of the step. */
  readonly reconcile?: (key: string) => Reconciled<TResult> | Promise<Reconciled<TResult>>;
}

/** The data inside whatever a handler returns. */
export type DataOf<TReturn> = TReturn extends ToolFailure | PendingReply | ErrorOutcome
  ? never
  : TReturn extends OkReply<infer TData> | PartialReply<infer TData> | OkOutcome<infer TData> | PartialOutcome<infer TData>
    ? JsonOf<TData>
    : JsonOf<TReturn>;

/** How a value looks once it is JSON. */
export type JsonOf<T> = T extends string | number | boolean | null
  ? T
  : // biome-ignore lint/suspicious/noConfusingVoidType: a handler that returns nothing is typed so
    T extends undefined | void
    ? null
    : T extends bigint | Uint8Array | ArrayBuffer
      ? string
      : T extends { toJSON(): infer TJson }
        ? TJson
        : T extends ReadonlyMap<infer TKey, infer TValue>
          ? TKey extends string | number
            ? Record<string, JsonOf<TValue>>
            : [JsonOf<TKey>, JsonOf<TValue>][]
          : T extends ReadonlySet<infer TItem>
            ? JsonOf<TItem>[]
            : T extends readonly unknown[]
              ? { [K in keyof T]: JsonOf<T[K]> }
              : T extends (...args: never) => unknown
                ? never
                : T extends object
                  ? {
                      [K in keyof T as T[K] extends (...args: never) => unknown ? never : K]: undefined extends T[K]
                        ? JsonOf<Exclude<T[K], undefined>> | Extract<T[K], undefined>
                        : JsonOf<T[K]>;
                    }
                  : T;

/** The data of a tool's results: what its output schema gives, or, without one, what `run` returns. */
export type ResultOf<TOutput, TReturn> = TOutput extends StandardSchemaV1 ? InferOutput<TOutput> : DataOf<TReturn>;

/** The return type of `run`: input of the output schema, or anything if there is none. */
export type ReturnFor<TOutput, TReturn> = TOutput extends StandardSchemaV1
  ? Returned<InferInput<TOutput>> | Promise<Returned<InferInput<TOutput>>>
  : TReturn | Promise<TReturn>;

/** The return type of a handler whose results are `TData`. */
export type Returned<TData> = TData | Reply<TData> | Outcome<TData>;
