import type { JSX } from 'preact';
import { AnswerInput } from '../actions/answer-input.tsx';
import type { ListedCall, RecordedCall } from '../api/api-shapes.ts';
import { readWaiting } from '../state/approvals-store.ts';
import { toHash } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { showHidden } from '../words/show-hidden.ts';
import { Asked } from './approval-card.tsx';

/** One call that asks something in the middle of its tool: its question, its age, and a form for the answer. */
export function QuestionCard({ call }: { readonly call: ListedCall }): JSX.Element {
  const { value } = useAnswer<RecordedCall>(`v1/calls/${encodeURIComponent(call.id)}`, call.message).value;
  return (
    <li class="card">
      <div class="card-head">
        <a class="row-tool" href={toHash('calls', call.id)}>
          {showHidden(call.tool)}
        </a>
        <Asked at={Date.parse(call.endedAt ?? call.begunAt)} />
        {call.userId && <span class="section-note">{`by ${showHidden(call.userId)}`}</span>}
      </div>
      {value?.pending === undefined ? (
        <p class="question">{showHidden(call.message ?? '')}</p>
      ) : (
        <AnswerInput key={value.pending.ask?.message} pending={value.pending} onAnswered={() => void readWaiting()} />
      )}
    </li>
  );
}
