import type { Outcome } from '../../../core/outcome/index.ts';
import type { GuardedCall, RecordKey } from '../../../core/runtime/index.ts';
import { argumentsOf, canonicalJson, fieldPrints, fingerprint, isPlain } from '../store-access/fingerprint.ts';
import type { Claim } from './claim.ts';

/** What a call is known by: its key in this process and in the store, and its arguments as fingerprints. */
export interface CallKey {
  readonly id: string;
  readonly at: RecordKey;
  readonly fields: Claim['fields'];
}

/** Reads the key of a call and hands it to its tool; undefined where it has none, an outcome where its tool made none that can be compared. */
export function readCallKey(call: GuardedCall): CallKey | Outcome | undefined {
  const key = keyOf(call);
  if (key === undefined) return undefined;
  const { name } = call.tool;
  if (key === '') return call.refuse('not_configured', `${name} made no key of its arguments that could be compared, so it did not run.`);
  const id = canonicalJson([call.tenantId, canonicalJson([name, key])]);
  // What a tool makes of its arguments may hold whatever they hold, so only its fingerprint is stored and handed on.
  const shown = call.tool.idempotency?.key === undefined ? key : fingerprint(id);
  call.useKey(shown);
  return { id, at: { space: 'claim', tenant: call.tenantId, key: canonicalJson([name, shown]) }, fields: fieldPrints(argumentsOf(call)) };
}

/** Gives the key of a call, and an empty one where its tool made none that could be compared: all such calls would be one. */
function keyOf({ tool, input, context }: GuardedCall): string | undefined {
  const own = tool.idempotency?.key;
  if (own === undefined) return context.idempotencyKey || undefined;
  const key: unknown = own(input as never);
  if (typeof key === 'string') return key;
  // A key that an asynchronous function made is never looked at.
  if (key instanceof Promise) key.catch(() => undefined);
  return key === undefined || key === null || Number.isNaN(key) || !isPlain(key) ? '' : canonicalJson(key);
}
