import type { FailureKind } from '../../../core/outcome/index.ts';
import { type Identity, mayCall, mayCallAll } from '../auth/identity.ts';
import type { Gate } from '../request/gate.ts';

/** Why a stored result is not read to a caller. */
export interface ReadingRefused {
  readonly kind: FailureKind;
  readonly message: string;
  /** The tool that made it, where the caller may not call that. */
  readonly maker?: string;
}

/** The tool with which models read stored results. */
const readerName = 'read_result';

/** Tells whether a call reads a stored result, so that it has to be found out whose that is. */
export function readsResult(identity: Identity, name: string): boolean {
  return name === readerName && !mayCallAll(identity);
}

/** Tells why a call that reads a stored result is not made. Text is not taken for arguments here: what it refers to is not known before it is repaired. */
export async function checkReader(toolbox: Gate['toolbox'], identity: Identity, args: unknown): Promise<ReadingRefused | undefined> {
  if (typeof args === 'string') return { kind: 'invalid_input', message: 'The arguments of this call must be one JSON object, not text.' };
  return checkReading(toolbox, identity, (args as { readonly ref?: unknown } | undefined | null)?.ref);
}

/**
 * Tells why a caller may not read a stored result; undefined when it may. A result tells what its tool would tell, so it is for those who
 * may call that tool; others learn nothing, not even whether there is one.
 */
export async function checkReading(toolbox: Gate['toolbox'], identity: Identity, ref: unknown): Promise<ReadingRefused | undefined> {
  // What refers to nothing is for the reader to say.
  if (mayCallAll(identity) || typeof ref !== 'string') return undefined;
  const { readResult, toolOfResult } = toolbox.with({ tenantId: identity.tenantId });
  const message = `There is no stored result ${ref.slice(0, 100)}, or it has expired.`;
  if (toolOfResult === undefined) return readResult === undefined ? undefined : { kind: 'not_found', message };
  try {
    const maker = await toolOfResult(ref);
    return maker === undefined || mayCall(identity, maker) ? undefined : { kind: 'not_found', message, maker };
  } catch {
    return { kind: 'not_ready', message: 'The store does not answer now.' };
  }
}
