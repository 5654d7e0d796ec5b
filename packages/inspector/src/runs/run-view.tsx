import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { ListedCall } from '../api/api-shapes.ts';
import { toHash } from '../state/route.ts';
import { Empty } from '../ui/empty.tsx';
import { Icon } from '../ui/icon.tsx';
import { kindText } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';
import { RunTurn } from './run-turn.tsx';
import { summarizeRun, toRuns } from './to-runs.ts';
import { useCalls } from './use-calls.ts';

/** How many turns are shown at once: each reads its call. */
const pageSize = 25;

/** One run as a conversation: what was called, what came back, where it went wrong. */
export function RunView({ runId }: { readonly runId: string }): JSX.Element {
  const shown = useSignal(pageSize);
  const { value, error, readOlder } = useCalls(`&runId=${encodeURIComponent(runId)}`, (call) => call.runId === runId);
  const calls = (value ?? []).toReversed();
  const run = toRuns(calls)[0];
  const wrong = calls.findIndex(({ status }) => status === 'error');
  const failed = calls[wrong];
  return (
    <div class="page">
      <div class="page-head">
        <a class="button quiet square" href={toHash('runs')}>
          <Icon name="back" />
          <span class="unseen">Back to the runs</span>
        </a>
        <h1 class="mono-title">{showHidden(runId)}</h1>
        <a class="page-choice button" href={toHash('calls', '', new URLSearchParams({ runId }).toString())}>
          Show as list
        </a>
      </div>
      {run && (
        <p class="page-note">
          {`${summarizeRun(run)}, in ${toDuration(run.tookMs)}.`}
          {failed && (
            <>
              {' It first went wrong at '}
              <button
                type="button"
                class="tree-more"
                onClick={() => {
                  shown.value = Math.max(shown.value, wrong + 1);
                  requestAnimationFrame(() => document.getElementById(`turn-${failed.id}`)?.scrollIntoView({ block: 'center' }));
                }}
              >
                {`call ${wrong + 1}, ${showHidden(failed.tool)}`}
              </button>
              {`: ${kindText(failed.kind ?? 'internal')}.`}
            </>
          )}
        </p>
      )}
      {readOlder && (
        <button type="button" class="runs-older" onClick={readOlder}>
          {`Show earlier calls (${calls.length.toLocaleString('en')} shown)`}
        </button>
      )}
      <ol class="turns">
        {calls.slice(0, shown.value).map((call, index) => (
          <RunTurn key={call.id} call={call} number={index + 1} pausedMs={pauseBefore(calls, index)} />
        ))}
      </ol>
      {calls.length > shown.value && (
        <button
          type="button"
          onClick={() => {
            shown.value += pageSize;
          }}
        >
          {`Show more: ${calls.length - shown.value} left`}
        </button>
      )}
      {(error || (value !== undefined && calls.length === 0)) && (
        <Empty icon="runs" title="No calls in this run">
          <p>{error ? error.message : 'The store no longer has them, or they belong to another tenant.'}</p>
        </Empty>
      )}
    </div>
  );
}

/** How long nothing was called: the time in which the model, or a person, decided what to do. */
function pauseBefore(calls: readonly ListedCall[], index: number): number {
  const [before, call] = [calls[index - 1], calls[index]];
  if (before === undefined || call === undefined) return 0;
  return Date.parse(call.begunAt) - Date.parse(before.endedAt ?? before.begunAt);
}
