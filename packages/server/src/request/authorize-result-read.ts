import type { FailureKind } from 'toolpact';
import { type Identity, mayCall, mayCallAll } from '../auth/identity.ts';
import type { ServedToolbox } from '../server-options.ts';

/** Why a caller may not read a stored result. */
export interface ResultReadRefused {
  readonly kind: FailureKind;
  readonly message: string;
  /** The tool that made the result, where the caller may not call it. */
  readonly maker?: string;
}

/** The tools with which models read stored results, and wait for those of pending calls. */
const resultReaders: ReadonlySet<string> = new Set(['read_result', 'wait_for_result']);

/** Checks whether a call reads a stored result, so that the tool that made it has to be looked up. */
export function readsStoredResult(identity: Identity, name: string): boolean {
  return resultReaders.has(name) && !mayCallAll(identity);
}

/** Checks a call that reads a stored result. Arguments as text are refused: what they refer to is not known before they are repaired. */
export async function authorizeResultRead(
  toolbox: ServedToolbox,
  identity: Identity,
  args: unknown,
): Promise<ResultReadRefused | undefined> {
  if (typeof args === 'string') return { kind: 'invalid_input', message: 'The arguments of this call must be one JSON object, not text.' };
  const { ref, handle } = (args ?? {}) as { readonly ref?: unknown; readonly handle?: unknown };
  return (await checkResultRef(toolbox, identity, ref)) ?? checkHandle(toolbox, identity, handle);
}

/** The same for a pending call: its result is for those who may call its tool. */
async function checkHandle(toolbox: ServedToolbox, identity: Identity, handle: unknown): Promise<ResultReadRefused | undefined> {
  const { calls } = toolbox.with({ tenantId: identity.tenantId });
  if (typeof handle !== 'string' || calls === undefined) return undefined;
  try {
    const maker = (await calls.get(handle))?.tool;
    if (maker === undefined || mayCall(identity, maker)) return undefined;
    return { kind: 'not_found', message: `There is no pending call ${handle.slice(0, 100)}.`, maker };
  } catch {
    return { kind: 'not_ready', message: 'The store does not answer now.' };
  }
}

/**
 * Returns the reason why a caller may not read a stored result; undefined when it may. A result shows what its tool shows, so it is for those who
 * may call that tool; others learn nothing, not even whether there is one.
 */
export async function checkResultRef(toolbox: ServedToolbox, identity: Identity, ref: unknown): Promise<ResultReadRefused | undefined> {
  // The reader itself refuses a reference that is none.
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
