import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Pending } from 'toolpact';
import { callTool } from '../actions/call-tool.ts';
import { Decision } from '../actions/decision.tsx';
import type { RecordedCall } from '../api/api-shapes.ts';
import { approvals } from '../state/approvals-store.ts';
import { goTo, toHash } from '../state/route.ts';
import { Icon } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { Section } from '../ui/section.tsx';
import { errorText } from '../words/error-text.ts';
import { timeOfDay } from '../words/local-time.ts';
import { recordedId } from '../words/recorded-id.ts';
import { showHidden } from '../words/show-hidden.ts';
import { approvalText } from '../words/wait-words.ts';

const said = {
  approve: 'Approved. It runs when the agent makes the same call again.',
  deny: 'Denied. The agent is told when it makes the same call again.',
} as const;

/** Lets a person decide about a call that waits; once it is decided, the same call can be made at once. */
export function ApprovalSection({ call, pending }: { readonly call: RecordedCall; readonly pending: Pending }): JSX.Element {
  const decision = useSignal<'' | 'approve' | 'deny'>('');
  const problem = useSignal('');
  const isWaiting = decision.value === '' && approvals.value?.some(({ handle }) => handle === pending.handle) !== false;
  // An approval holds for the one who asked. The page can speak for a caller without a name, and for no other.
  const isOwn = call.isWhole && call.userId === undefined && call.sessionId === undefined && call.conversationId === undefined;
  const run = async (): Promise<void> => {
    try {
      const id = recordedId(await callTool(call.tool, call.input, { key: call.key, runId: call.runId }));
      if (id !== undefined) goTo(toHash('calls', id));
    } catch (error) {
      problem.value = errorText(error);
    }
  };
  return (
    <Section title="Decision" note={isWaiting && pending.expiresAt && `until ${timeOfDay(pending.expiresAt)}`}>
      {isWaiting && pending.ask && <p class="question">{showHidden(pending.ask.message)}</p>}
      {isWaiting ? (
        <>
          <Decision
            handle={pending.handle}
            approval={approvals.value?.find(({ handle }) => handle === pending.handle)}
            what={call.tool}
            onDecided={(made) => {
              decision.value = made;
            }}
          />
          <p class="section-note">Once approved, it runs when the agent makes the same call again.</p>
        </>
      ) : (
        <div class="composer-end" role="status">
          <span>
            {decision.value === ''
              ? showHidden(approvalText(call.waits?.findLast(({ kind }) => kind === 'approval')))
              : said[decision.value]}
          </span>
          {decision.value !== 'deny' && isOwn && (
            <button type="button" class={decision.value === 'approve' ? 'main' : ''} onClick={() => void run()}>
              <Icon name="play" size={14} />
              Make the call now
            </button>
          )}
        </div>
      )}
      <Problem text={problem.value} />
    </Section>
  );
}
