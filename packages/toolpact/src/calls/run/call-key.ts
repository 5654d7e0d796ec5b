import { canonicalJson } from '../../json/index.ts';
import type { Outcome } from '../../outcome/index.ts';
import { type GuardedCall, keyOf } from '../../ports/index.ts';
import { argumentsOf, type Fingerprints, fingerprint } from '../store/fingerprint.ts';

/** The idempotency key of a call, as it is stored, and its arguments as fingerprints. */
export interface NamedKey {
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Checks whether a call has an idempotency key: made by its tool, or given by its caller. */
export function hasKey({ tool, context }: Pick<GuardedCall, 'tool' | 'context'>): boolean {
  return tool.idempotency?.key !== undefined || (context.idempotencyKey !== undefined && context.idempotencyKey !== '');
}

/** Reads the key of a call and hands it to its tool; an outcome where the tool made none that can be compared. */
export function readKey(call: GuardedCall, prints: Fingerprints): NamedKey | Outcome | undefined {
  const key = keyOf(call);
  if (key === undefined) return undefined;
  const { tool } = call;
  if (key === '') return call.refuse('not_configured', `${tool.name} returned no usable idempotency key, so it did not run.`);
  const namedKey = canonicalJson([tool.name, key]);
  const fields = prints.ofFields(argumentsOf(call));
  if (tool.idempotency?.key === undefined) {
    call.useKey(key);
    return { text: `key ${namedKey}`, fields };
  }
  // It may hold whatever the arguments hold, so only fingerprints are stored and handed on. The one that is handed on has no secret in it: a
  // service must know the call again when the store is new.
  const whole = canonicalJson([call.tenantId, namedKey]);
  call.useKey(fingerprint(whole));
  return { text: `key ${canonicalJson([tool.name, prints.of(whole)])}`, fields };
}

/** Returns what equal calls have in common that nobody gave a key: user, run, session or conversation, tool and arguments. Undefined where a call belongs to none of these. */
export function joinKeyOf(call: GuardedCall, prints: Fingerprints): string | undefined {
  const { userId, runId, sessionId, conversationId } = call.context;
  if ((runId ?? sessionId ?? conversationId) === undefined) return undefined;
  return `same ${prints.of([userId, runId, sessionId, conversationId, call.tool.name, argumentsOf(call)])}`;
}
