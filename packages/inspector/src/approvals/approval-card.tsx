import type { JSX } from 'preact';
import { Decision } from '../actions/decision.tsx';
import type { Approval } from '../api/api-shapes.ts';
import { now } from '../state/now.ts';
import { toHash } from '../state/route.ts';
import { JsonTree } from '../tree/json-tree.tsx';
import { Chip } from '../ui/chip.tsx';
import { showHidden } from '../words/show-hidden.ts';
import { toAge, toDuration } from '../words/to-duration.ts';

/** One call that waits: its question, its arguments, its age, and the decision. */
export function ApprovalCard({ approval }: { readonly approval: Approval }): JSX.Element {
  const { handle, tool, question, input, requestedAt, expiresAt, redactions = 0, cuts = 0, invocationId, userId, runId } = approval;
  const left = expiresAt - now.value;
  return (
    <li class="card">
      <div class="card-head">
        <a class="row-tool" href={toHash('calls', invocationId)}>
          {showHidden(tool)}
        </a>
        <span class="section-note">{age(now.value - requestedAt)}</span>
        {userId && <span class="section-note">{`by ${showHidden(userId)}`}</span>}
        {runId && (
          <a class="section-note" href={toHash('runs', runId)}>
            {showHidden(runId)}
          </a>
        )}
        <span class="card-end">
          <Chip tone={left < 300_000 ? 'warn' : 'calm'}>
            {left > 0 ? `${toDuration(Math.ceil(left / 60_000) * 60_000)} left` : 'expired'}
          </Chip>
        </span>
      </div>
      <p class="question">{showHidden(question)}</p>
      <JsonTree value={input} />
      {redactions + cuts > 0 && (
        <p class="section-note">
          {[redactions > 0 && `${redactions} parts hidden as secrets`, cuts > 0 && `${cuts} parts cut`].filter(Boolean).join(', ')}
        </p>
      )}
      <Decision handle={handle} what={`: ${question}`} />
    </li>
  );
}

function age(ms: number): string {
  const text = toAge(ms);
  return text === 'now' ? 'asked just now' : `asked ${text} ago`;
}
