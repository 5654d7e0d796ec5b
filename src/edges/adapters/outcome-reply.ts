import { type Content, type Outcome, ok, partial, pending, type Reply, toToolFailure } from '../../core/outcome/index.ts';

/** Recognises an outcome that another tool made. */
export function isOutcome(value: unknown): value is Outcome {
  if (typeof value !== 'object' || value === null) return false;
  const { status, meta } = value as { status?: unknown; meta?: { tookMs?: unknown; attempts?: unknown } | null };
  return typeof status === 'string' && statuses.has(status) && typeof meta?.tookMs === 'number' && typeof meta.attempts === 'number';
}

const statuses: ReadonlySet<string> = new Set<Outcome['status']>(['ok', 'partial', 'error', 'pending']);

/** Gives what a handler must return so that its call ends like another one did. */
export function toReply(outcome: Outcome): Reply<unknown> {
  switch (outcome.status) {
    case 'ok':
      return ok(outcome.data, factsOf(outcome));
    case 'partial': {
      const failed = outcome.failures.map(({ error, ...item }) => ({ ...item, error: toToolFailure(error) }));
      return partial(outcome.data, failed, { ...factsOf(outcome), total: outcome.total });
    }
    case 'pending':
      return pending(outcome.pending, outcome.message === undefined ? {} : { message: outcome.message });
    case 'error':
      return toToolFailure(outcome.error, outcome.data);
  }
}

function factsOf({ message, content }: { readonly message?: string; readonly content?: readonly Content[] }): {
  message?: string;
  content?: readonly Content[];
} {
  return { ...(message !== undefined && { message }), ...(content !== undefined && { content }) };
}
