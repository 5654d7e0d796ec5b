import { isRecord } from '../json/index.ts';
import { refuseOption, refuseOptions } from '../outcome/index.ts';

/** Throws for rules about approvals that are not known: a misspelt one would let more people decide than its author meant. */
export function checkApproval(what: string, approval: unknown): void {
  if (approval === undefined || typeof approval === 'boolean' || typeof approval === 'string' || typeof approval === 'function') return;
  if (!isRecord(approval)) refuseOption(what, 'approval', 'a boolean, a question, a function or an object');
  refuseOptions(`${what}: approval`, approval, {
    ask: true,
    by: 'an array',
    fourEyes: 'a boolean',
    expiresMs: 'a number above 0',
    onExpiry: ['ask', 'deny'],
    grants: 'a boolean',
  });
  const { by } = approval as { readonly by?: readonly unknown[] };
  if (by !== undefined && (by.length === 0 || !by.every((role) => typeof role === 'string' && role !== '')))
    refuseOption(`${what}: approval`, 'by', 'an array of roles');
}
