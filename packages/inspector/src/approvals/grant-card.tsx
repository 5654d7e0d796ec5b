import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Grant } from '../api/api-shapes.ts';
import { revokeGrant } from '../state/approvals-store.ts';
import { now } from '../state/now.ts';
import { toHash } from '../state/route.ts';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';

/** A standing grant: what it covers, who gave it, how often it was used, and the button that ends it. */
export function GrantCard({ grant }: { readonly grant: Grant }): JSX.Element {
  const { id, words, by, reason, uses, mostUses, expiresAt, approval } = grant;
  const problem = useSignal('');
  const revoke = async (): Promise<void> => {
    try {
      await revokeGrant(id);
    } catch (error) {
      problem.value = errorText(error);
    }
  };
  const left = Math.max(0, Math.ceil((expiresAt - now.value) / 60_000) * 60_000);
  const facts = [
    by && `given by ${showHidden(by)}`,
    reason && `“${showHidden(reason)}”`,
    usesText(uses, mostUses),
    `${toDuration(left)} left`,
  ].filter(Boolean);
  return (
    <li class="card">
      <p class="grant-words">{showHidden(words)}</p>
      <div class="alike">
        <span class="section-note">{facts.join(' · ')}</span>
        <a class="section-note" href={toHash('calls', approval)}>
          first approval
        </a>
        <button type="button" class="danger" aria-label={`Revoke: ${words}`} onClick={() => void revoke()}>
          Revoke
        </button>
      </div>
      <Problem text={problem.value} />
    </li>
  );
}

function usesText(uses: number, mostUses: number | undefined): string {
  if (mostUses !== undefined) return `used ${uses} of ${mostUses} times`;
  return uses === 1 ? 'used once' : `used ${uses} times`;
}
