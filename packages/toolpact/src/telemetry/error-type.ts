import { expectFailure, type Failure, type FailureKind } from '../outcome/index.ts';
import type { ErrorTypeHints } from '../ports/index.ts';
import { other } from './conventions.ts';

/** Kinds that are no fault: a call that ended so has no `error.type` at all. */
export const faultless: ReadonlySet<FailureKind> = new Set<FailureKind>(['denied', 'cancelled']);

/** The failures of our own stages, which no handler had a part in. */
const stages = {
  invalid_input: 'invalid_arguments',
  invalid_output: 'invalid_result',
  unknown_tool: 'tool_not_found',
} as const satisfies Partial<Record<FailureKind, string>>;

type Origin = NonNullable<ErrorTypeHints['origin']>;
type Source = (failure: Failure, origin: Origin) => string | undefined;

/** Where a value can come from; the first that has one wins. Never the message. */
const sources: readonly Source[] = [
  ({ errorType }) => errorType,
  ({ kind }) => (kind === 'timeout' ? 'timeout' : undefined),
  (failure) => upstreamStatus(failure)?.toString(),
  ({ code }) => code,
  ({ kind }, origin) => (origin === 'stage' && Object.hasOwn(stages, kind) ? stages[kind as keyof typeof stages] : undefined),
  ({ kind }, origin) => (origin === 'thrown' ? undefined : kind),
  ({ cause }) => cause,
];

const usable = /^[\w$][\w$.:-]{0,63}$/;

/** Recognises a value that is short and plain enough to be a label. */
export function isUsable(value: string | undefined): value is string {
  return value !== undefined && usable.test(value);
}

/**
 * Returns the `error.type` of a failure: a stated type, `timeout`, the upstream's HTTP status, the tool's own code, our own stage, the kind
 * of an explicit `fail`, a system code or class name, or `_OTHER`. Undefined for what is not a fault: `denied` and `cancelled`.
 */
export function errorType(failure: Failure, hints: ErrorTypeHints = {}): string | undefined {
  expectFailure('errorType', failure);
  if (faultless.has(failure.kind)) return undefined;
  const { origin = originOf(failure) } = hints;
  for (const source of sources) {
    const value = source(failure, origin);
    if (isUsable(value)) return value;
  }
  return other;
}

/** Only what was thrown has a name; but a text can be thrown as well, and is then a failure without a name. */
function originOf({ kind, cause }: Failure): Origin {
  return cause === undefined && kind !== 'internal' && kind !== 'failed' ? 'stage' : 'thrown';
}

/** Returns the HTTP status that the other side really answered with, where that was a failure. */
export function upstreamStatus({ upstream }: Pick<Failure, 'upstream'>): number | undefined {
  const status = upstream?.status;
  return status !== undefined && Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}
