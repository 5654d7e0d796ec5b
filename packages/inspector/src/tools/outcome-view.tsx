import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Outcome } from 'toolpact';
import type { RecordedCall } from '../api/api-shapes.ts';
import { ReadingsSection } from '../call/readings-section.tsx';
import { ResultSection } from '../call/result-section.tsx';
import { toHash } from '../state/route.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import { recordedId } from '../words/recorded-id.ts';
import { toDuration } from '../words/to-duration.ts';
import { verdict } from '../words/verdict.ts';

/** Shows the outcome of a call that was just made: the verdict, the result, what the model reads, and the way to all the rest. */
export function OutcomeView({ outcome }: { readonly outcome: Outcome }): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), [outcome]);
  const { tookMs, attempts } = outcome.meta;
  const id = recordedId(outcome);
  const error = outcome.status === 'error' ? outcome.error : undefined;
  const sentence = verdict({
    status: outcome.status,
    ...(error && {
      kind: error.kind,
      effect: error.effect,
      retryable: error.retryable,
      recovery: error.recovery,
      retryAfterMs: error.retryAfterMs,
    }),
    waitsFor: outcome.status === 'pending' ? outcome.pending.reason : undefined,
  });
  // The parts of a recorded call that the section of readings looks at.
  const call = { id, status: outcome.status } as RecordedCall;
  return (
    <div class="outcome" ref={place} role="status">
      <div class="outcome-head">
        <StatusMark status={outcome.status} large />
        <p class="pane-verdict">{sentence}</p>
        <span class="section-note">{`${toDuration(tookMs)}${attempts > 1 ? `, ${attempts} attempts` : ''}`}</span>
        {id !== undefined && (
          <a class="button" href={toHash('calls', id)}>
            Open this call
          </a>
        )}
      </div>
      <ResultSection outcome={outcome} />
      {id !== undefined && <ReadingsSection call={call} />}
    </div>
  );
}
