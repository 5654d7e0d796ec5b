import type { JSX } from 'preact';
import type { CallWait } from 'toolpact';
import type { RecordedCall } from '../api/api-shapes.ts';
import { Chip } from '../ui/chip.tsx';
import { Section } from '../ui/section.tsx';
import { TextBlock } from '../ui/text-block.tsx';
import { fullTime } from '../words/local-time.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';
import { deciderText, waitTones, waitWords } from '../words/wait-words.ts';

/** Shows what a call has asked people, once it was decided: what, when, by whom, why, and what the model read meanwhile. */
export function WaitsSection({ call }: { readonly call: RecordedCall }): JSX.Element | null {
  const waits = (call.waits ?? []).filter(({ state }) => state !== 'open');
  if (waits.length === 0) return null;
  return (
    <Section title="Decisions">
      <ul class="waits">
        {waits.map((wait) => (
          <Wait key={wait.handle} wait={wait} />
        ))}
      </ul>
    </Section>
  );
}

function Wait({ wait }: { readonly wait: CallWait }): JSX.Element {
  const { message, state, askedAt, decidedAt, reason, answer, changes = [], modelText } = wait;
  return (
    <li>
      <p class="question">{showHidden(message)}</p>
      <p>
        <Chip tone={waitTones[state]} title={`state: ${state}`}>
          {waitWords[state]}
        </Chip>{' '}
        {showHidden(deciderText(wait))}
        {reason !== undefined && ` Reason: ${showHidden(reason)}`}
      </p>
      {answer !== undefined && <TextBlock text={answer} what="the answer" />}
      {changes.map(({ path, before, after }) => (
        <p key={path.join('.')} class="section-note">
          {showHidden(`${path.join('.')}: ${toText(before, 'not set')} → ${toText(after, 'removed')}`)}
        </p>
      ))}
      <p class="section-note">
        Asked <Time at={askedAt} />
        {decidedAt !== undefined && (
          <>
            , decided <Time at={decidedAt} />, after {toDuration(Math.max(0, Date.parse(decidedAt) - Date.parse(askedAt)))}
          </>
        )}
      </p>
      {modelText !== undefined && (
        <details>
          <summary>What the model read in the meantime</summary>
          <TextBlock text={modelText} what="what the model read in the meantime" />
        </details>
      )}
    </li>
  );
}

function Time({ at }: { readonly at: string }): JSX.Element {
  return <time dateTime={at}>{fullTime(at)}</time>;
}

function toText(value: unknown, absent: string): string {
  return value === undefined ? absent : JSON.stringify(value);
}
