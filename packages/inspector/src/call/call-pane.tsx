import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { ListedCall, RecordedCall } from '../api/api-shapes.ts';
import { calls, filters } from '../state/calls-store.ts';
import { onCalls } from '../state/connection.ts';
import { writeFilters } from '../state/filters.ts';
import { goTo, toHash } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { Empty } from '../ui/empty.tsx';
import { showHidden } from '../words/show-hidden.ts';
import { CallBody } from './call-body.tsx';
import { CallHead } from './call-head.tsx';

/** How often a call that runs is read again. */
const lookEveryMs = 700;

/** Shows one call and all that is known of it, and follows it while it changes. */
export function CallPane({ id }: { readonly id: string }): JSX.Element {
  const [version, setVersion] = useState(0);
  const pane = useRef<HTMLElement>(null);
  const answer = useAnswer<RecordedCall>(`v1/calls/${encodeURIComponent(id)}`, version).value;
  const recorded = answer.value?.id === id ? answer.value : undefined;
  useEffect(
    () =>
      onCalls((changed) => {
        if (changed.some((call) => call.id === id)) setVersion((before) => before + 1);
      }),
    [id],
  );
  useEffect(() => {
    // A pending call is found under its handle, too, which may be one of its tool.
    const { value, path } = answer;
    if (value !== undefined && value.id !== id && path?.endsWith(encodeURIComponent(id)))
      goTo(toHash('calls', value.id, writeFilters(filters.value)), { replace: true });
  }, [answer, id]);
  const isRunning = recorded?.status === 'running' && !recorded.lost;
  useEffect(() => {
    if (!isRunning) return;
    // Guards, attempts and steps of a running call are no events of the stream.
    const timer = setInterval(() => document.visibilityState === 'visible' && setVersion((before) => before + 1), lookEveryMs);
    return () => clearInterval(timer);
  }, [isRunning]);
  useEffect(() => {
    pane.current?.scrollTo({ top: 0 });
  }, [id]);
  useLayoutEffect(() => {
    // A narrow page hides the list, and the row that has the focus.
    if (document.activeElement?.checkVisibility() === false) pane.current?.focus({ preventScroll: true });
  }, [id]);
  const listed: ListedCall | undefined = recorded ?? calls.value.find((call) => call.id === id);
  const back = toHash('calls', '', writeFilters(filters.value));
  return (
    <article
      class="pane"
      ref={pane}
      tabIndex={-1}
      aria-label={listed ? `Call of ${showHidden(listed.tool)}` : 'Call'}
      aria-busy={recorded === undefined && answer.error === undefined}
    >
      {listed && <CallHead call={listed} recorded={recorded} back={back} />}
      {recorded && <CallBody key={id} call={recorded} onChanged={() => setVersion((before) => before + 1)} />}
      {recorded === undefined && answer.error !== undefined && answer.path?.endsWith(encodeURIComponent(id)) && (
        <Empty icon="search" isPage title={answer.error.status === 404 ? 'Call not found' : 'Could not load this call'}>
          <p>
            {answer.error.status === 404
              ? 'The store does not have it: it was removed, or never recorded, or it belongs to another tenant.'
              : answer.error.message}
          </p>
          <a class="button" href={back}>
            Back to the calls
          </a>
        </Empty>
      )}
    </article>
  );
}
