import type { JSX } from 'preact';
import { approvals, approvalsFailure, decided, grants, questions } from '../state/approvals-store.ts';
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
  return (
    <div class="page">
      <h1>Approvals</h1>
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
          <p class="page-note">{list.length === 1 ? '1 call is waiting.' : `${list.length} calls are waiting, oldest first.`}</p>
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
        <Section title="Decided just now">
          <ul class="decided">
            {decided.value.map(({ approval, decision }) => (
              <li key={approval.handle}>
                <Chip tone={decision === 'approve' ? 'good' : 'bad'}>{decision === 'approve' ? 'Approved' : 'Denied'}</Chip>
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

function NoApprovals({ status, text }: { readonly status: number; readonly text: string }): JSX.Element {
  if (status === 404) {
    return (
      <Empty icon="approvals" title="No approvals on this server">
        <p>A tool asks for approval if it declares `approval` and its toolbox has a store.</p>
      </Empty>
    );
  }
  return (
    <Empty icon="error" title={status === 403 ? 'This key may not decide' : 'Could not load the approvals'}>
      <p>{status === 403 ? 'It needs the scope approvals:decide.' : text}</p>
    </Empty>
  );
}
