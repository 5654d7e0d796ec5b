import type { JSX } from 'preact';
import type { ListedCall } from '../api/api-shapes.ts';
import { isDecided } from '../state/approvals-store.ts';
import { progress } from '../state/connection.ts';
import { now } from '../state/now.ts';
import { Chip } from '../ui/chip.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { aboutCall, progressText } from '../words/about-call.ts';
import { fullTime } from '../words/local-time.ts';
import { effectText, kindText, recoveryText, statusText } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toAge, toDuration } from '../words/to-duration.ts';

interface CallRowProps {
  readonly call: ListedCall;
  readonly href: string;
  readonly isCurrent: boolean;
  readonly isOpen: boolean;
  readonly onSelect: () => void;
}

/** Shows one call in a line; on a narrow list in two. */
export function CallRow({ call, href, isCurrent, isOpen, onSelect }: CallRowProps): JSX.Element {
  const who = call.userId ?? call.agentName;
  return (
    <a
      class={`row${isCurrent ? ' row-current' : ''}`}
      href={href}
      data-id={call.id}
      tabIndex={isCurrent ? 0 : -1}
      aria-current={isOpen ? 'true' : undefined}
      onFocus={onSelect}
    >
      <StatusMark status={call.status} />
      <span class="row-tool">{showHidden(call.tool)}</span>
      <span class="row-text" title={showHidden(call.preview ?? '')}>
        <RowText call={call} />
      </span>
      <span class="row-chips">
        {(call.status === 'partial' || call.status === 'pending') && (
          <Chip tone={isDecided(call) ? 'calm' : statusText(call.status).tone} title={`status: ${call.status}`}>
            {isDecided(call) ? 'Decided' : statusText(call.status).text}
          </Chip>
        )}
        {call.replayOf && <Chip title="replayOf">Replayed</Chip>}
        {call.cacheHit && <Chip title="cacheHit">From cache</Chip>}
        {call.lost && <Chip tone="warn">Process died</Chip>}
        {call.kind && (
          <Chip tone="bad" title={call.kind}>
            {kindText(call.kind)}
          </Chip>
        )}
        {call.effect && call.effect !== 'none' && (
          <Chip tone="warn" title={effectText(call.effect).text}>
            {effectText(call.effect).short}
          </Chip>
        )}
        {call.recovery && (
          <span class="row-next" title={`recovery: ${call.recovery}`}>
            {recoveryText(call.recovery)}
          </span>
        )}
      </span>
      <span class="row-owner" title={showHidden([call.runId && `run ${call.runId}`, who].filter(Boolean).join(', '))}>
        <span class="row-who">{showHidden(call.runId ?? who ?? '')}</span>
        {call.runId !== undefined && who !== undefined && <span class="row-user">{showHidden(who)}</span>}
      </span>
      <span class="row-tries" title={`${call.attempts} attempts`}>
        {call.attempts > 1 ? `×${call.attempts}` : ''}
      </span>
      <span class="row-took">{call.tookMs === undefined ? '' : toDuration(call.tookMs)}</span>
      <Age since={call.begunAt} />
    </a>
  );
}

/** The age is a component of its own, so that the clock draws nothing else again. */
function Age({ since }: { readonly since: string }): JSX.Element {
  return (
    <time class="row-age" dateTime={since} title={fullTime(since)}>
      {toAge(now.value - Date.parse(since))}
    </time>
  );
}

function RowText({ call }: { readonly call: ListedCall }): JSX.Element {
  const said = call.status === 'running' ? (progress.value.get(call.id) ?? call.progress) : undefined;
  return <>{showHidden(said === undefined ? aboutCall(call) : progressText(said))}</>;
}
