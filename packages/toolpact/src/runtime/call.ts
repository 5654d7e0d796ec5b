import { type CallContext, type CallSession, noTenant, type Progress, type RunContext } from '../contract/index.ts';
import { isolate } from '../events/index.ts';
import { type InputCopy, peek, rankNames, takePromise } from '../json/index.ts';
import { type FailOptions, isFailureKind, type Meta, type Outcome, type Redactor, ToolFailure } from '../outcome/index.ts';
import type { CallSpan, ErrorType, ResourceLease, TracedCall } from '../ports/index.ts';
import { armDeadline, type DeadlineEntry, disarmDeadline, elapsedMs } from '../time/index.ts';
import { currentScope } from './async-scope.ts';
import type { GuardState } from './guards/guard-state.ts';
import { createInvocationId, lastTraceId } from './ids.ts';
import { contextKeys, noContext } from './merge-context.ts';
import type { Steps } from './steps.ts';
import type { CallSettings, ToolPlan } from './tool-plan.ts';
import { beginWatch, type CallEvent, type CallWatch, emitProgress, endWatch } from './watch-call.ts';

/** The parts of its caller's context that an outcome carries. */
const carried = ['callId', 'sessionId', 'runId', 'ids', 'tenantId'] as const;
const defaultTimeoutMs = 30_000;
// To follow a call costs time, so only a call among this many others is looked at: they may lie inside each other.
const unsuspicious = 100;
let underWay = 0;

/**
 * One call's own state: the context its handler sees, its place among the deadlines, and the promise that is settled once. The abort controller
 * is made only when the signal is read.
 */
export class Call implements DeadlineEntry, EventListenerObject, TracedCall, Omit<RunContext, keyof CallContext> {
  readonly plan: ToolPlan;
  readonly settings: CallSettings;
  readonly context: CallContext;
  readonly invocationId: string;
  traceId: string;
  /** The caller's time, at most the tool's; the default counts only where neither is stated. */
  readonly timeoutMs: number;
  readonly startedAt: number = performance.now();
  /** How many of the calls that are followed it lies in, itself included; 0 when it is not followed. */
  readonly depth: number = ++underWay > unsuspicious ? (currentScope()?.depth ?? 0) + 1 : 0;
  /** A copy of the arguments as received. */
  received: unknown;
  /** Whether no part of `received` is an object. */
  receivedFlat = false;
  /** The arguments that the outcome shows: those received, or a copy of the checked ones. */
  shown: InputCopy | undefined;
  /** When the outcome was built, once it is. */
  endedAt = 0;
  input: unknown;
  attempts = 0;
  /** Whether the handler was entered; from then on the outside world may have changed. */
  handlerStarted = false;
  warnings: string[] | undefined;
  /** Its steps, once the handler of a tool with steps runs. */
  steps: Steps | undefined;
  /** The state that only guards need. */
  guarded: GuardState | undefined;
  /** The resources it holds. */
  lease: ResourceLease | undefined;
  /** Lets the call on once all its siblings have passed their gates too; gives the id of one whose failure stops this call. */
  gate: (() => Promise<string | undefined>) | undefined;
  /** The outcome, once the call has ended. */
  outcome: Outcome | undefined;
  /** The value that the handler threw, or returned as a failure. */
  thrown: unknown;
  /** The record that telemetry makes of this call, and what gives its events to listeners. */
  span: CallSpan | undefined;
  watch: CallWatch | undefined;

  /** When its time is over, on the clock of `startedAt`. */
  deadlineAt: number;
  lane: DeadlineEntry['lane'];
  earlier: DeadlineEntry['earlier'];
  later: DeadlineEntry['later'];

  #resolve: ((outcome: Outcome) => void) | undefined;
  #controller: AbortController | undefined;
  /** Creates the outcome of a call whose caller's signal fires, once the call listens to that signal. */
  #onAbort: ((call: Call) => Outcome) | undefined;
  /** Whether the call was ended from outside, so that its handler may go on. */
  #endedExternally = false;
  /** How many hold the deadline now, and the time that was left when the first of them began. */
  #held: { count: number; readonly leftMs: number } | undefined;
  #isOpen = false;
  readonly #onTimeout: (call: Call) => Outcome;
  /** A redactor that knows these arguments. */
  #redactor: { readonly received: unknown; readonly input: unknown; readonly redactor: Redactor } | undefined;

  constructor(plan: ToolPlan, settings: CallSettings, context: CallContext, onTimeout: (call: Call) => Outcome) {
    this.plan = plan;
    this.settings = settings;
    this.context = context;
    const ownId = createInvocationId();
    this.invocationId = context.invocationId ?? ownId;
    this.traceId = context.traceId ?? lastTraceId();
    this.#onTimeout = onTimeout;
    const asked = context.timeoutMs;
    const own = plan.timeoutMs ?? settings.timeoutMs ?? asked ?? defaultTimeoutMs;
    this.timeoutMs = Math.min(asked ?? own, own);
    this.deadlineAt = this.startedAt + this.timeoutMs;
  }

  get errorType(): ErrorType | undefined {
    return this.settings.preset?.errorType;
  }

  /** Reports to subscribers that the call begins. */
  announce(): void {
    if (this.settings.watched || this.settings.dispatcher.active || this.context.session !== undefined) beginWatch(this);
  }

  /** Makes the call answer later: gives the promise of its outcome, and starts its deadline and the watch on the caller's signal. */
  open(onAbort: (call: Call) => Outcome): Promise<Outcome> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      this.#isOpen = true;
      if (this.#held === undefined) armDeadline(this, this.timeoutMs, this.startedAt);
      if (this.context.signal === undefined) return;
      this.#onAbort = onAbort;
      // The handler's synchronous part may have outlived its caller.
      if (this.isStopped) this.handleEvent();
      else this.#follow('addEventListener');
    });
  }

  /** Ends the call because its caller's signal has fired. */
  handleEvent(): void {
    this.#endedExternally = true;
    const outcome = this.#onAbort?.(this);
    this.#controller?.abort(this.#reason);
    if (outcome !== undefined) this.settle(outcome);
  }

  get #reason(): unknown {
    return peek(this.context.signal, 'reason');
  }

  /** Answers the caller, while the call goes on. */
  detach(outcome: Outcome): void {
    this.#resolve?.(outcome);
    this.#resolve = undefined;
    this.#follow('removeEventListener');
  }

  /** Begins to listen to the caller's signal, or ends it. A signal of another library may throw. */
  #follow(how: 'addEventListener' | 'removeEventListener'): void {
    if (this.#onAbort === undefined) return;
    try {
      this.context.signal?.[how]('abort', this);
    } catch (error) {
      isolate(() => Promise.reject(error));
    }
  }

  /** Ends an open call. Only the first end counts. */
  settle(outcome: Outcome): void {
    if (this.outcome !== undefined) return;
    this.finish(outcome);
    this.#resolve?.(outcome);
  }

  /** Marks the call as ended and notifies its subscribers. */
  finish(outcome: Outcome): Outcome {
    if (this.outcome === undefined) underWay -= 1;
    this.outcome = outcome;
    disarmDeadline(this);
    this.#follow('removeEventListener');
    if (this.watch !== undefined || this.span !== undefined) endWatch(this, outcome);
    for (const listener of this.guarded?.listeners ?? []) isolate(() => listener(outcome));
    this.lease?.end(this.#endedExternally);
    return outcome;
  }

  onDeadline(): void {
    this.#endedExternally = true;
    const outcome = this.#onTimeout(this);
    this.#controller?.abort(new DOMException(`The deadline of ${this.timeoutMs} ms passed.`, 'TimeoutError'));
    this.settle(outcome);
  }

  /** Builds the meta block of an outcome that ends now. */
  meta(extra?: Partial<Meta>): Meta {
    const { context, warnings, plan } = this;
    if (!(this.endedAt > 0)) this.endedAt = performance.now();
    const meta: { -readonly [K in keyof Meta]: Meta[K] } = {
      tool: plan.name,
      invocationId: this.invocationId,
      traceId: this.traceId,
      tookMs: elapsedMs(this.startedAt, this.endedAt),
      attempts: this.attempts,
    };
    if (context !== noContext) {
      for (const key of carried) if (context[key] !== undefined) meta[key] = context[key] as never;
    }
    if (plan.resourceType !== undefined) meta.resourceType = plan.resourceType;
    if (this.lease !== undefined || extra !== undefined) Object.assign(meta, this.lease?.meta, extra);
    if (warnings !== undefined) meta.warnings = Object.freeze([...warnings]);
    return Object.freeze(meta);
  }

  warn(text: string): void {
    this.warnings ??= [];
    this.warnings.push(this.redactor.text(text));
  }

  get event(): CallEvent {
    const { callId } = this.context;
    return { tool: this.plan.name, invocationId: this.invocationId, traceId: this.traceId, ...(callId !== undefined && { callId }) };
  }

  get tool(): string {
    return this.plan.name;
  }

  get description(): string | undefined {
    return this.plan.description;
  }

  /** Hides, besides all other secrets, what the call's own arguments hold under the name of one; they are looked through when it is asked for. */
  get redactor(): Redactor {
    const { received, input } = this;
    const known = this.#redactor;
    if (known !== undefined && known.received === received && known.input === input) return known.redactor;
    const redactor = this.settings.redactor.knowing(received, input === received ? undefined : input);
    this.#redactor = { received, input, redactor };
    return redactor;
  }

  get session(): CallSession | undefined {
    return this.watch?.session;
  }

  get tenantId(): string {
    return this.context.tenantId ?? noTenant;
  }

  get now(): string {
    return this.context.now ?? new Date(performance.timeOrigin + this.startedAt).toISOString();
  }

  get attempt(): number {
    return this.attempts;
  }

  get remainingMs(): number {
    return this.#held?.leftMs ?? Math.max(0, this.deadlineAt - performance.now());
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.outcome !== undefined || this.isStopped) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Asks the handler to stop. The call itself ends when its handler does, or at its deadline. */
  abort(reason: unknown): void {
    this.#endedExternally = true;
    void this.signal;
    this.#controller?.abort(reason);
  }

  /** Returns the part of the context that a log may show: no credentials. */
  toJSON(): object {
    return { ...this.event, attempt: this.attempts };
  }

  [Symbol.for('nodejs.util.inspect.custom')](): object {
    return this.toJSON();
  }

  /** Whether the caller has stopped the call. A signal of another library may throw when it is read. */
  get isStopped(): boolean {
    return peek(this.context.signal, 'aborted') === true;
  }

  get idempotencyKey(): string | undefined {
    return this.guarded?.key ?? this.context.idempotencyKey;
  }

  // Functions are made by getters so that handlers may take them out of the context.
  /** Creates a failure of a kind, or of one of the codes that the tool declared. */
  get fail(): RunContext['fail'] {
    const { failures = {} } = this.plan;
    return (kindOrCode: string, message: string, options?: FailOptions): ToolFailure => {
      const declared = Object.hasOwn(failures, kindOrCode) ? failures[kindOrCode] : undefined;
      if (declared !== undefined) return new ToolFailure(declared, message, { ...options, code: kindOrCode });
      if (isFailureKind(kindOrCode)) return new ToolFailure(kindOrCode, message, options);
      const [nearest] = rankNames(kindOrCode, Object.keys(failures), 1);
      const hint = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
      this.warn(`"${kindOrCode}" is neither a kind of failure nor declared in \`failures\` of ${this.plan.name}${hint}`);
      return new ToolFailure('internal', message, options);
    };
  }

  /** Gives a resource; the first one that is asked for begins the call's lease. */
  get resource(): RunContext['resource'] {
    return (wanted: string | { readonly type: string }): Promise<never> => {
      this.lease ??= this.settings.resources?.lease(this);
      const value = this.lease?.get(wanted) ?? Promise.reject(noResources(this.plan.name, wanted));
      // A tool that does not wait for what it asked for must not end the process.
      takePromise(value);
      return value as Promise<never>;
    };
  }

  /** Stops the time of the call; gives the function that lets it go on. */
  get pauseDeadline(): RunContext['pauseDeadline'] {
    return () => {
      const held = this.#held ?? { count: 0, leftMs: this.remainingMs };
      held.count += 1;
      this.#held = held;
      disarmDeadline(this);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        held.count -= 1;
        if (held.count > 0) return;
        this.#held = undefined;
        const now = performance.now();
        this.deadlineAt = now + held.leftMs;
        // Deadlines of one length share a timer, so whole milliseconds do.
        if (this.#isOpen && this.outcome === undefined) armDeadline(this, Math.ceil(held.leftMs), now);
      };
    };
  }

  get progress(): (progress: Progress | string) => void {
    return (given) => this.outcome === undefined && emitProgress(this, given);
  }

  get log(): RunContext['log'] {
    return (message, details) => {
      const { redactor } = this;
      this.watch?.emitOfCall({
        type: 'log',
        message: redactor.text(message),
        ...(details !== undefined && { details: redactor.value(details) }),
      });
    };
  }
}

function noResources(tool: string, wanted: string | { readonly type: string }): ToolFailure {
  const type = typeof wanted === 'string' ? wanted : wanted.type;
  return new ToolFailure('not_configured', `${tool} needs the resource "${type}", but its toolbox has no \`resources\`.`);
}

// These properties are read from the caller's context alone, so that arguments of a model cannot set them.
for (const key of contextKeys) {
  if (key in Call.prototype) continue;
  Object.defineProperty(Call.prototype, key, {
    get(this: Call) {
      return this.context[key as keyof CallContext];
    },
    configurable: true,
  });
}
