import type { JSX } from 'preact';
import type { JsonValue, Outcome } from 'toolpact';
import { JsonTree } from '../tree/json-tree.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Section } from '../ui/section.tsx';
import { kindText } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';

/** Shows what a call ended with; of a failure the message, the advice and each wrong field come first. */
export function ResultSection({ outcome, id }: { readonly outcome: Outcome; readonly id?: string }): JSX.Element {
  const copy = <CopyButton text={() => JSON.stringify(outcome, null, 2)} what="the outcome as JSON" label="Copy JSON" />;
  if (outcome.status === 'error') return <FailureResult outcome={outcome} id={id} copy={copy} />;
  if (outcome.status === 'pending') {
    return (
      <Section title="Waiting" end={copy}>
        {outcome.message && <p class="message">{showHidden(outcome.message)}</p>}
        <Warnings outcome={outcome} />
        <JsonTree value={outcome.pending as unknown as JsonValue} />
      </Section>
    );
  }
  return (
    <Section title="Result" end={copy}>
      {outcome.message && <p class="message">{showHidden(outcome.message)}</p>}
      <Warnings outcome={outcome} />
      <JsonTree value={(outcome.data ?? null) as JsonValue} />
      {outcome.status === 'partial' && (
        <ul class="issues">
          {outcome.failures.slice(0, 50).map(({ index, id, error }) => (
            <li key={index}>
              <code>{id ?? `item ${index}`}</code>
              <span>{`${kindText(error.kind)}: ${showHidden(error.message)}`}</span>
            </li>
          ))}
        </ul>
      )}
      {outcome.content && outcome.content.length > 0 && <JsonTree value={outcome.content as unknown as JsonValue} />}
    </Section>
  );
}

/** Warnings of the runtime and guards, for example that the result was cut. */
function Warnings({ outcome: { meta } }: { readonly outcome: Outcome }): JSX.Element | null {
  const { warnings = [] } = meta;
  if (warnings.length === 0) return null;
  return (
    <ul class="issues" aria-label="Warnings">
      {warnings.slice(0, 50).map((warning) => (
        <li key={warning}>
          <span>{showHidden(warning)}</span>
        </li>
      ))}
    </ul>
  );
}

interface FailureResultProps {
  readonly outcome: Extract<Outcome, { status: 'error' }>;
  readonly copy: JSX.Element;
  readonly id: string | undefined;
}

function FailureResult({ outcome, copy, id }: FailureResultProps): JSX.Element {
  const { error, data, fallback } = outcome;
  const { message, advice, issues = [], kind, recovery, retryable, effect, debugId, ...facts } = error;
  // Mostly the id of the call, which is shown already.
  const rest = {
    ...facts,
    ...(debugId !== id && { debugId }),
    ...(data !== undefined && { data }),
    ...(fallback !== undefined && { fallback }),
  };
  return (
    <Section title="Failure" end={copy}>
      <p class="message">{showHidden(message)}</p>
      {advice && <p class="advice">{showHidden(advice)}</p>}
      <Warnings outcome={outcome} />
      {issues.length > 0 && (
        <ul class="issues">
          {issues.slice(0, 50).map((issue) => (
            <li key={issue.path.join('.')}>
              <code>{showHidden(issue.path.join('.')) || 'arguments'}</code>
              <span>{showHidden([issue.message, issue.hint].filter(Boolean).join(' '))}</span>
            </li>
          ))}
        </ul>
      )}
      {Object.keys(rest).length > 0 && <JsonTree value={rest as unknown as JsonValue} />}
    </Section>
  );
}
