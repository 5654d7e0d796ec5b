import type { Outcome } from 'toolpact';
import type { GuardedCall } from 'toolpact/extend';
import { callNotes, refuseWith, unknownStep } from 'toolpact/internal';
import { nthHandle } from './call-handle.ts';
import type { CallRequest, CallResult } from './call-request.ts';
import { stepNames } from './kept-steps.ts';
import type { RestateIngress } from './restate-ingress.ts';

/** What the journal notes of a call that is run again. */
export interface RerunNote {
  /** Names the rerun, however often it is sent. */
  readonly by: string;
  readonly from?: string;
  /** The first of the calls that share their steps. */
  readonly origin: string;
}

/** Gives how a call is run again; undefined where it is not. */
export function rerunOf({ notes }: GuardedCall): RerunNote | undefined {
  return notes.get(callNotes.rerun) as RerunNote | undefined;
}

/** What a call takes over from an earlier one of its name. */
export type Earlier = Pick<CallRequest, 'kept' | 'isAfterLost' | 'rerun'>;

/** Where a rerun is sent and with what, or why it is not. */
type Prepared = { readonly uses: number; readonly earlier: Earlier } | { readonly outcome: Outcome };

/** Finds the last call of a name, which has to have failed, and what a rerun takes over from it. Restate runs no workflow twice: it becomes a new one. */
export async function prepareRerun(
  ingress: RestateIngress,
  call: GuardedCall,
  base: string,
  { by, from }: RerunNote,
  signal: AbortSignal,
): Promise<Prepared> {
  const refuse = (kind: 'conflict' | 'not_found' | 'not_ready', message: string): Prepared => ({
    outcome: call.refuse(kind, message, { effect: 'none' }),
  });
  const { name } = call.tool;
  let last: CallResult | undefined;
  for (let uses = 1; ; uses += 1) {
    const handle = nthHandle(base, uses);
    const found = await ingress.output(call.tenantId, handle, signal);
    if (found.is === 'ended') {
      last = found.result;
      if (last.rerunBy === by) return { outcome: call.replay(last.outcome) };
      continue;
    }
    if (found.is === 'running') {
      const state = await ingress.look(call.tenantId, handle, signal);
      // It was sent before, and goes on: it is joined.
      if (state?.rerunBy === by) return { uses, earlier: {} };
      return refuse('conflict', `The call of ${name} still runs, or waits.`);
    }
    if (found.is !== 'unknown') return refuse('not_ready', `${name} was not run again: Restate does not answer.`);
    if (last === undefined) return refuse('not_found', `Restate does not remember the call of ${name} any more, so it was not run again.`);
    const { kept = {}, outcome } = last;
    if (outcome.status !== 'error') return refuse('conflict', `The call of ${name} has succeeded; there is nothing to run again.`);
    const unknown = from === undefined ? undefined : unknownStep(from, stepNames(kept));
    if (unknown !== undefined) return { outcome: refuseWith(call, unknown) };
    const isDoubtful = call.tool.canReconcile && Object.values(kept).some(({ failed, effect }) => failed && effect === 'unknown');
    const rerun = { by, ...(from !== undefined && { from }) };
    return { uses, earlier: { kept, rerun, ...(isDoubtful && { isAfterLost: true }) } };
  }
}
