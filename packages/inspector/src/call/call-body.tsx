import type { JSX } from 'preact';
import { AnswerInput } from '../actions/answer-input.tsx';
import { CallActions } from '../actions/call-actions.tsx';
import type { RecordedCall } from '../api/api-shapes.ts';
import { progress } from '../state/connection.ts';
import { serverFacts } from '../state/server-facts.ts';
import { JsonTree } from '../tree/json-tree.tsx';
import { Section } from '../ui/section.tsx';
import { progressText } from '../words/about-call.ts';
import { showHidden } from '../words/show-hidden.ts';
import { ApprovalSection } from './approval-section.tsx';
import { CauseSection } from './cause-section.tsx';
import { CompareSection } from './compare-section.tsx';
import { ExportSection } from './export-section.tsx';
import { Facts } from './facts.tsx';
import { ReadingsSection } from './readings-section.tsx';
import { RelatedSection } from './related-section.tsx';
import { ResultSection } from './result-section.tsx';
import { Timeline } from './timeline.tsx';
import { WaitsSection } from './waits-section.tsx';
import { WireSection } from './wire-section.tsx';

/** The parts of one call, the most wanted first. */
export function CallBody({ call, onChanged }: { readonly call: RecordedCall; readonly onChanged: () => void }): JSX.Element {
  const { outcome } = call;
  const pending = outcome?.status === 'pending' ? outcome.pending : undefined;
  return (
    <div class="pane-body">
      <CallActions call={call} />
      {pending?.reason === 'approval' && <ApprovalSection call={call} pending={pending} />}
      {pending?.reason === 'input' && (
        <Section title="Answer">
          <AnswerInput pending={pending} onAnswered={onChanged} />
        </Section>
      )}
      {call.status === 'running' && <RunningNow call={call} />}
      <WaitsSection call={call} />
      <div class="pair">
        <Section title="Arguments" note={call.isWhole ? undefined : 'secrets redacted, large parts cut'}>
          <JsonTree value={call.input} />
        </Section>
        {outcome && <ResultSection outcome={outcome} id={call.id} />}
      </div>
      {outcome && <ReadingsSection call={call} />}
      <Timeline call={call} />
      {outcome?.status === 'error' && <CauseSection id={call.id} />}
      {serverFacts.value?.wire && <WireSection id={call.id} />}
      <RelatedSection call={call} />
      {outcome && <CompareSection call={call} />}
      {outcome && <ExportSection id={call.id} />}
      <Facts call={call} />
    </div>
  );
}

function RunningNow({ call }: { readonly call: RecordedCall }): JSX.Element | null {
  const said = progress.value.get(call.id) ?? call.progress;
  if (said === undefined) return null;
  return (
    <Section title="Progress">
      <p role="status">{showHidden(progressText(said))}</p>
      {said.total !== undefined && said.total > 0 && (
        <progress value={said.done ?? 0} max={said.total} aria-label="Progress">{`${said.done ?? 0} of ${said.total}`}</progress>
      )}
    </Section>
  );
}
