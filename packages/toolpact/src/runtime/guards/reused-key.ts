import type { Outcome } from '../../outcome/index.ts';
import type { GuardedCall } from '../../ports/index.ts';

/** Fingerprints of arguments, field by field. */
export type ArgumentFingerprints = Readonly<Record<string, string>>;

/** Names the fields in which two sets of arguments differ. */
export function differingFields(mine: ArgumentFingerprints, theirs: ArgumentFingerprints): string[] {
  const names = new Set([...Object.keys(mine), ...Object.keys(theirs)]);
  return [...names].filter((name) => mine[name] !== theirs[name]).sort();
}

/** The most fields that are named: a model does not read thousands. */
const maxNamed = 20;

/** Refuses a call whose key was used with other arguments. */
export function refuseReusedKey(call: GuardedCall, mine: ArgumentFingerprints, theirs: ArgumentFingerprints): Outcome {
  const all = differingFields(mine, theirs);
  const fields = all.slice(0, maxNamed);
  const named = fields.map((field) => (field === '' ? 'the arguments' : `"${field}"`)).join(', ');
  const more = all.length > fields.length ? ` and ${all.length - fields.length} more` : '';
  return call.refuse('conflict', `This key was used before with other arguments: ${named}${more} differ${all.length === 1 ? 's' : ''}.`, {
    code: 'key_reused',
    advice: 'Use a new key, or the same arguments.',
    effect: 'none',
    details: { fields },
  });
}
