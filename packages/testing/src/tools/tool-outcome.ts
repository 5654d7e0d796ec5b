import type { JsonValue, Outcome } from 'toolpact';
import { cutText, isFailureKind, isRecord, ownEntry, recoveries } from 'toolpact/internal';

type Fields = Readonly<Record<string, unknown>>;

const effects = ['none', 'applied', 'unknown'];

/** Says what keeps a value from being an outcome, or nothing. Never throws: what cannot be read is no outcome. */
export function unsoundness(value: unknown): string | undefined {
  try {
    return problemOf(value);
  } catch {
    return 'the answer cannot be read';
  }
}

function problemOf(value: unknown): string | undefined {
  if (!isRecord(value)) return 'the answer is not an object';
  const { status, meta } = value;
  const arm = ownEntry(arms, status);
  if (arm === undefined) return `the status is ${JSON.stringify(status)}`;
  if (!isRecord(meta)) return 'the answer has no meta';
  return arm(value) ?? (isJson(value) ? undefined : 'the answer is not plain JSON');
}

/** Shows an answer without what differs from call to call. */
export function summarizeOutcome(outcome: Outcome): JsonValue {
  if (outcome.status === 'error') {
    const { kind, code, message, issues } = outcome.error;
    return { status: 'error', kind, ...(code !== undefined && { code }), message: clip(message), ...(issues && { issues: issues.length }) };
  }
  if (outcome.status === 'pending') return { status: 'pending', reason: outcome.pending.reason };
  return { status: outcome.status, data: clip(outcome.data) as JsonValue };
}

/** Shows a value, cut where it is long. */
export function clip(value: unknown, most = 300): JsonValue {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length <= most ? ((value ?? null) as JsonValue) : cutText(text, most);
}

const arms: Readonly<Record<string, (value: Fields) => string | undefined>> = {
  ok: (value) => ('data' in value ? undefined : 'an ok answer has no data'),
  partial: ({ failures, total }) =>
    Array.isArray(failures) && typeof total === 'number' ? undefined : 'a partial answer does not say how many of how many failed',
  pending: ({ pending }) => (isRecord(pending) && typeof pending.handle === 'string' ? undefined : 'a pending answer has no handle'),
  error: ({ error }) => (isRecord(error) ? failureProblem(error) : 'an error answer has no error'),
};

function failureProblem({ kind, message, recovery, retryable, effect }: Fields): string | undefined {
  if (!isFailureKind(kind)) return `the kind ${JSON.stringify(kind)} is not in the catalogue`;
  if (typeof message !== 'string' || message.trim() === '') return 'the failure says nothing';
  if (!(recoveries as readonly unknown[]).includes(recovery)) return `the recovery is ${JSON.stringify(recovery)}`;
  if (typeof retryable !== 'boolean') return 'the failure does not say whether it is retryable';
  if (!effects.includes(String(effect))) return `the effect is ${JSON.stringify(effect)}`;
  if (retryable && recovery !== 'wait') return `it is retryable, but its recovery is ${JSON.stringify(recovery)}`;
  return undefined;
}

function isJson(value: unknown): boolean {
  try {
    return typeof JSON.stringify(value) === 'string';
  } catch {
    return false;
  }
}
