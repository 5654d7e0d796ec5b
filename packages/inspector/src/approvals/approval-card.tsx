import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { Decision } from '../actions/decision.tsx';
import type { Approval } from '../api/api-shapes.ts';
import { alikeOf, decideAll } from '../state/approvals-store.ts';
import { now } from '../state/now.ts';
import { toHash } from '../state/route.ts';
import { JsonTree } from '../tree/json-tree.tsx';
import { Chip } from '../ui/chip.tsx';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toAge, toDuration } from '../words/to-duration.ts';

/** One call that waits: its question, its arguments, its age, and the decision. */
export function ApprovalCard({ approval }: { readonly approval: Approval }): JSX.Element {
  const {
    handle,
    tool,
    question,
    input,
    requestedAt,
    expiresAt,
    redactions = 0,
    cuts = 0,
    invocationId,
    userId,
    runId,
    preview,
  } = approval;
  return (
    <li class="card">
      <div class="card-head">
        <a class="row-tool" href={toHash('calls', invocationId)}>
          {showHidden(tool)}
        </a>
        <Asked at={requestedAt} />
        {userId && <span class="section-note">{`by ${showHidden(userId)}`}</span>}
        {runId && (
          <a class="section-note" href={toHash('runs', runId)}>
            {showHidden(runId)}
          </a>
        )}
        <span class="card-end">
          <TimeLeft until={expiresAt} />
        </span>
      </div>
      <p class="question">{showHidden(question)}</p>
      <JsonTree value={input} />
      {preview !== undefined && (
        <div class="preview">
          <span class="section-note">Preview</span>
          <JsonTree value={preview} />
        </div>
      )}
      <Rules approval={approval} />
      {redactions + cuts > 0 && (
        <p class="section-note">
          {[
            redactions > 0 && `${redactions} ${redactions === 1 ? 'secret' : 'secrets'} redacted`,
            cuts > 0 && `${cuts} ${cuts === 1 ? 'part' : 'parts'} cut`,
          ]
            .filter(Boolean)
            .join(', ')}
        </p>
      )}
      <Decision handle={handle} approval={approval} what={question} />
      <Alike approval={approval} />
    </li>
  );
}

/** Says who may decide, and what happens without an answer. */
function Rules({ approval: { roles, fourEyes, userId, onExpiry } }: { readonly approval: Approval }): JSX.Element | null {
  const parts = [
    roles && `only ${roles.map(showHidden).join(' or ')} may decide`,
    fourEyes && `${userId === undefined ? 'the user whose agent asks' : showHidden(userId)} may not approve`,
    onExpiry === 'deny' && 'denied if nobody decides',
  ].filter(Boolean);
  return parts.length === 0 ? null : <p class="section-note sentence">{parts.join(' · ')}</p>;
}

/** Decides about all calls on the page that look like this one. */
function Alike({ approval }: { readonly approval: Approval }): JSX.Element | null {
  const problem = useSignal('');
  const isBusy = useSignal(false);
  const alike = alikeOf(approval);
  if (alike.length < 2 || alike[0]?.handle !== approval.handle) return null;
  const choose = async (decision: 'approve' | 'deny'): Promise<void> => {
    isBusy.value = true;
    try {
      problem.value = await decideAll(alike, decision, '');
    } catch (error) {
      problem.value = errorText(error);
    }
    isBusy.value = false;
  };
  return (
    <div class="alike">
      <span class="section-note">{`${alike.length} calls differ only in the values of their arguments.`}</span>
      <button type="button" disabled={isBusy.value} onClick={() => void choose('approve')}>
        {`Approve all ${alike.length}`}
      </button>
      <button type="button" class="danger" disabled={isBusy.value} onClick={() => void choose('deny')}>
        {`Deny all ${alike.length}`}
      </button>
      <Problem text={problem.value} />
    </div>
  );
}

/** The age of a question is a component of its own, so that the clock draws nothing else again. */
export function Asked({ at }: { readonly at: number }): JSX.Element {
  const text = toAge(now.value - at);
  return <span class="section-note">{text === 'now' ? 'asked just now' : `asked ${text} ago`}</span>;
}

function TimeLeft({ until }: { readonly until: number }): JSX.Element {
  const left = until - now.value;
  return (
    <Chip tone={left < 300_000 ? 'warn' : 'calm'}>{left > 0 ? `${toDuration(Math.ceil(left / 60_000) * 60_000)} left` : 'expired'}</Chip>
  );
}
