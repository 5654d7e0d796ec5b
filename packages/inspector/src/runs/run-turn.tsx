import type { JSX } from 'preact';
import type { ListedCall, RecordedCall } from '../api/api-shapes.ts';
import { toHash } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { JsonTree } from '../tree/json-tree.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { TextBlock } from '../ui/text-block.tsx';
import { timeOfDay } from '../words/local-time.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';
import { verdict } from '../words/verdict.ts';

interface RunTurnProps {
  readonly call: ListedCall;
  readonly number: number;
  readonly pausedMs: number;
}

/** One call of a run: what the model asked, and what it read. */
export function RunTurn({ call, number, pausedMs }: RunTurnProps): JSX.Element {
  const { value } = useAnswer<RecordedCall>(`v1/calls/${encodeURIComponent(call.id)}`, call.status).value;
  return (
    <li class={`turn turn-${call.status}`} id={`turn-${call.id}`}>
      {pausedMs >= 1000 && <p class="turn-pause">{`${toDuration(pausedMs)} later`}</p>}
      <div class="turn-ask">
        <div class="turn-head">
          <span class="turn-number">{number}</span>
          <a class="row-tool" href={toHash('calls', call.id)}>
            {showHidden(call.tool)}
          </a>
          <time class="section-note" dateTime={call.begunAt}>
            {timeOfDay(call.begunAt)}
          </time>
        </div>
        {value && <JsonTree value={value.input} />}
      </div>
      <div class="turn-answer">
        <div class="turn-head">
          <StatusMark status={call.status} />
          <span>{verdict(call)}</span>
          {call.tookMs !== undefined && <span class="section-note">{toDuration(call.tookMs)}</span>}
        </div>
        {value?.modelText !== undefined && <TextBlock text={value.modelText} what="what the model read" />}
      </div>
    </li>
  );
}
