import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { approvals, approvalsFailure, decided, grants, hasMoreApprovals, questions } from '../state/approvals-store.ts';
import { toHash } from '../state/route.ts';
import { Chip } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import { Section } from '../ui/section.tsx';
import { showHidden } from '../words/show-hidden.ts';
import { ApprovalCard } from './approval-card.tsx';
import { GrantCard } from './grant-card.tsx';
import { QuestionCard } from './question-card.tsx';

/** The inbox: all calls that wait for a person to decide or to answer, oldest first. */
export function ApprovalsPage(): JSX.Element {
  const list = approvals.value;
  const asked = questions.value;
  const [latest] = decided.value;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // The card that had the focus has gone with its decision.
    if (decided.value.length > 0 && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [list?.length]);
  return (
    <div class="page">
      <h1 ref={heading} tabIndex={-1}>
        Approvals
      </h1>
      <p class="unseen" role="status">
        {latest && `${decisionText(latest.decision)}: ${showHidden(latest.approval.question)}`}
      </p>
      {list === undefined && approvalsFailure.value && (
        <NoApprovals status={approvalsFailure.value.status} text={approvalsFailure.value.message} />
      )}
      {list?.length === 0 && asked.length === 0 && (
        <Empty icon="ok" title="Nothing to decide">
          <p>Calls that need your approval or answer appear here.</p>
        </Empty>
      )}
      {list !== undefined && list.length > 0 && (
        <>
          <p class="page-note">
            {hasMoreApprovals.value
              ? `The ${list.length} calls that have waited longest. More are waiting.`
              : list.length === 1
                ? '1 call is waiting.'
                : `${list.length} calls are waiting, oldest first.`}
          </p>
          <ul class="cards">
            {list.map((approval) => (
              <ApprovalCard key={approval.handle} approval={approval} />
            ))}
          </ul>
        </>
      )}
      {asked.length > 0 && (
        <Section title="Questions">
          <ul class="cards">
            {asked.map((call) => (
              <QuestionCard key={call.id} call={call} />
            ))}
          </ul>
        </Section>
      )}
      {grants.value.length > 0 && (
        <Section title="Standing grants" note="calls that run without asking">
          <ul class="cards">
            {grants.value.map((grant) => (
              <GrantCard key={grant.id} grant={grant} />
            ))}
          </ul>
        </Section>
      )}
      {decided.value.length > 0 && (
        <Section title="Recent decisions">
          <ul class="decided">
            {decided.value.map(({ approval, decision }) => (
              <li key={approval.handle}>
                <Chip tone={decision === 'approve' ? 'good' : 'bad'}>{decisionText(decision)}</Chip>
                <span>{showHidden(approval.question)}</span>
                <a href={toHash('calls', approval.invocationId)}>Open the call</a>
              </li>
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

function decisionText(decision: 'approve' | 'deny'): string {
  return decision === 'approve' ? 'Approved' : 'Denied';
}

function NoApprovals({ status, text }: { readonly status: number; readonly text: string }): JSX.Element {
  if (status === 404 || status === 501) {
    return (
      <Empty icon="approvals" title="No approvals on this server">
        <p>
          Tools ask for approval if they declare <code>approval</code> and the toolbox has a store.
        </p>
      </Empty>
    );
  }
  return (
    <Empty icon="error" title={status === 403 ? 'This key may not decide' : 'Could not load the approvals'}>
      <p>{status === 403 ? 'It needs the scope approvals:decide.' : text}</p>
    </Empty>
  );
}
