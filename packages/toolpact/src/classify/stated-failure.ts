import { isObject, type JsonObject, peek } from '../json/index.ts';
import {
  catalogue,
  type Effect,
  type Failure,
  type FailureKind,
  type Issue,
  isFailureKind,
  makeFailure,
  type Recovery,
  type Redactor,
  statedAdvice,
  ToolFailure,
  toEndpoint,
  type Upstream,
  withoutAbsent,
} from '../outcome/index.ts';
import { type Expose, shownWords } from './failure-message.ts';
import { peekString } from './peek-string.ts';

/** Assumptions for a failure that does not state them. */
export interface StatedHints {
  readonly expose?: Expose;
  /** The effect to assume where the thrown value states none, and whether repeating could then do harm. */
  readonly effect?: Effect;
  /** The effect there was, whatever the thrown value states. */
  readonly leastEffect?: Effect | undefined;
  readonly unsafe?: boolean;
  /** Whether the tool declares that it writes, or has begun a step that counts. */
  readonly writes?: boolean;
  readonly attempt?: number | undefined;
  readonly debugId?: string;
}

/** Takes a ToolFailure (of any copy of this package) or a plain Failure at its word: every field is checked and redacted, none is guessed. */
export function statedFailure(thrown: object, redactor: Redactor, hints: StatedHints): Failure | undefined {
  const stated = peek(thrown, 'kind');
  if (typeof stated !== 'string') return undefined;
  const branded = ToolFailure.isInstance(thrown);
  const facts: unknown = branded ? peek(thrown, 'options') : thrown;
  const known = isFailureKind(stated);
  if (!branded && (!known || peekString(thrown, 'message') === undefined || typeof peek(thrown, 'retryable') !== 'boolean'))
    return undefined;

  const text = (holder: unknown, key: string) => {
    const found = peekString(holder, key);
    // As its author wrote it, addresses with their queries too; only secrets are hidden.
    return found && shownWords(found, redactor, hints.expose === 'verbatim' ? 'verbatim' : 'full');
  };
  const count = (holder: unknown, key: string) => {
    const found = peek(holder, key) as number;
    return Number.isFinite(found) && found >= 0 ? found : undefined;
  };
  /** A bounded copy without secrets; undefined where there is no object or list. */
  const copy = (key: string) => {
    const copied = redactor.value(peek(facts, key));
    return isObject(copied) ? copied : undefined;
  };
  const said = peek(facts, 'effect') as Effect;
  // An author who refuses a call says that nothing was done, unless the same line says otherwise. That a call was denied says who decided,
  // not when: a running tool may ask in its middle.
  const isRefused = branded && known && catalogue[stated].refusal && stated !== 'denied' && peek(thrown, 'isRead') !== true;
  const assumed = isRefused ? 'none' : hints.effect;
  const effect = hints.leastEffect ?? (['none', 'applied', 'unknown'].includes(said) ? said : assumed);
  const recovery = peek(facts, 'recovery') as Recovery;
  const retryable = peek(facts, 'retryable');
  const retryAfterMs = count(facts, 'retryAfterMs');
  const issues = copy('issues');
  const upstream = copy('upstream');
  const details = copy('details');
  const cause = peek(facts, 'cause');
  // An exception of a class of its own is its own cause; what `fail` makes has none.
  const named = isObject(cause)
    ? (peekString(cause, 'code') ?? peekString(cause, 'name'))
    : (cause ?? (branded && peek(thrown, 'name') !== 'ToolFailure' ? peek(thrown, 'name') : undefined));
  return makeFailure(known ? stated : 'internal', {
    message: text(thrown, 'message') ?? 'The tool failed unexpectedly.',
    // Only what an author stated is kept; the rest is derived again, because effect and recovery may change here.
    advice: statedAdvice({
      kind: stated as FailureKind,
      recovery,
      effect: said,
      retryAfterMs,
      debugId: peekString(facts, 'debugId'),
      advice: text(facts, 'advice'),
    }),
    // A kind from a newer copy of the package: its meaning is unknown, so it is never repeated.
    code: known ? text(facts, 'code') : redactor.text(stated.slice(0, 100)),
    retryable: known && (typeof retryable === 'boolean' ? retryable : undefined),
    retryAfterMs,
    withheld: recovery === 'stop',
    writes: hints.writes || recovery === 'verify',
    effect,
    // Also of a tool that changes nothing itself: it may tell how a call of another tool ended.
    unsafe: effect !== 'none' && (hints.unsafe || (hints.effect === 'none' && !retryable)),
    issues: Array.isArray(issues) ? issues.filter(isIssue) : undefined,
    upstream:
      upstream &&
      withoutAbsent<Upstream>({
        status: count(upstream, 'status'),
        endpoint: toEndpoint(peekString(upstream, 'endpoint') ?? '', redactor),
        requestId: peekString(upstream, 'requestId'),
      }),
    errorType: text(facts, 'errorType'),
    attempt: hints.attempt ?? count(facts, 'attempt'),
    cause: typeof named === 'string' && /^[\w.]{1,64}$/.test(named) ? redactor.text(named) : undefined,
    details: Array.isArray(details) ? undefined : (details as JsonObject | undefined),
    debugId: hints.debugId ?? text(facts, 'debugId'),
  });
}

function isIssue(item: unknown): item is Issue {
  return (
    Array.isArray(peek(item, 'path')) &&
    ['missing', 'type', 'format', 'extra', 'rule'].includes(peek(item, 'problem') as string) &&
    peekString(item, 'message') !== undefined
  );
}
