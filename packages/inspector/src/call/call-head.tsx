import type { JSX } from 'preact';
import type { ListedCall, RecordedCall } from '../api/api-shapes.ts';
import { isDecided } from '../state/approvals-store.ts';
import { toHash } from '../state/route.ts';
import { isUnknownTool } from '../state/tools-store.ts';
import { Chip } from '../ui/chip.tsx';
import { Icon } from '../ui/icon.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { effectText, kindText, recoveryText, statusText } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';
import { verdict } from '../words/verdict.ts';
import { approvalText } from '../words/wait-words.ts';

interface CallHeadProps {
  readonly call: ListedCall;
  readonly recorded: RecordedCall | undefined;
  readonly back: string;
}

/** Says first what matters most: what happened, whether the outside world changed, and whether to repeat it. */
export function CallHead({ call, recorded, back }: CallHeadProps): JSX.Element {
  const outcome = recorded?.outcome;
  const sentence = verdict({
    ...call,
    retryAfterMs: outcome?.status === 'error' ? outcome.error.retryAfterMs : undefined,
    waitsFor: outcome?.status === 'pending' ? outcome.pending.reason : call.waitsFor,
    failedItems: outcome?.status === 'partial' ? outcome.failures.length : undefined,
    items: outcome?.status === 'partial' ? outcome.total : undefined,
  });
  const isOver = isDecided(call);
  const { text, tone } = isOver ? ({ text: 'Decided', tone: 'calm' } as const) : statusText(call.status);
  return (
    <header class="pane-head">
      <a class="button quiet square pane-back" href={back} title="Close (Esc)">
        <Icon name="back" />
        <span class="unseen">Back to the calls</span>
      </a>
      <StatusMark status={call.status} large />
      <div class="pane-title">
        <h1>{isUnknownTool(call.tool) ? showHidden(call.tool) : <a href={toHash('tools', call.tool)}>{showHidden(call.tool)}</a>}</h1>
        <p class="pane-verdict">
          {isOver ? showHidden(approvalText(recorded?.waits?.findLast(({ kind }) => kind === 'approval'))) : sentence}
        </p>
        <div class="chips">
          <Chip tone={tone} title={`status: ${call.status}`}>
            {text}
          </Chip>
          {/* The sentence above says it in plain words; these are the words that programs read. */}
          {call.kind && (
            <Chip tone="bad" title={kindText(call.kind)}>
              {call.kind}
            </Chip>
          )}
          {call.code && <Chip title="code">{showHidden(call.code)}</Chip>}
          {call.effect && (
            <Chip tone={effectText(call.effect).tone} title={effectText(call.effect).text}>
              {`effect: ${call.effect}`}
            </Chip>
          )}
          {call.recovery && <Chip title={recoveryText(call.recovery)}>{`recovery: ${call.recovery}`}</Chip>}
          {call.retryable && <Chip tone="good">retryable</Chip>}
          {call.replayOf && <Chip title="replayOf">Replayed</Chip>}
          {call.cacheHit && <Chip title="cacheHit">From cache</Chip>}
          {call.attempts > 1 && <Chip title="attempts">{`${call.attempts} attempts`}</Chip>}
          {call.tookMs !== undefined && <Chip title="tookMs">{toDuration(call.tookMs)}</Chip>}
        </div>
      </div>
    </header>
  );
}
