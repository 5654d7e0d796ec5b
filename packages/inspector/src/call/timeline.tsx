import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { RecordedCall } from '../api/api-shapes.ts';
import { FoldButton } from '../ui/fold-button.tsx';
import { Section } from '../ui/section.tsx';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';
import { axisOf, type TimelineRow, toTimeline } from './to-timeline.ts';

/** Shows as a waterfall what guards, attempts, waits and steps did, and when. */
export function Timeline({ call }: { readonly call: RecordedCall }): JSX.Element | null {
  const { rows, totalMs } = toTimeline(call);
  if (rows.length === 0) return null;
  return (
    <Section title="Timeline" note={toDuration(totalMs)}>
      <div class="timeline">
        <div class="timeline-axis" aria-hidden="true">
          {axisOf(totalMs).map((ms) => (
            <span key={ms} style={{ left: `${(100 * ms) / totalMs}%` }}>
              {toDuration(ms)}
            </span>
          ))}
        </div>
        <ol>
          {rows.map((row, index) => (
            <Line key={index} row={row} totalMs={totalMs} />
          ))}
        </ol>
      </div>
    </Section>
  );
}

function Line({ row, totalMs }: { readonly row: TimelineRow; readonly totalMs: number }): JSX.Element {
  const isOpen = useSignal(false);
  const { label, note, tone, what, fromMs, toMs, inner } = row;
  const bars = inner ?? [row];
  return (
    <li>
      <div class={`timeline-row timeline-${what} tone-${tone}`}>
        <span class="timeline-label">{inner ? <FoldButton isOpen={isOpen}>{label}</FoldButton> : showHidden(label)}</span>
        <span class="timeline-track" aria-hidden="true">
          {bars.map((bar) => (
            <span
              key={`${bar.label}${bar.fromMs}`}
              class="timeline-bar"
              style={{ left: `${(100 * bar.fromMs) / totalMs}%`, width: `${(100 * (bar.toMs - bar.fromMs)) / totalMs}%` }}
            />
          ))}
        </span>
        <span class="timeline-took">{what === 'progress' && fromMs === toMs ? `at ${toDuration(fromMs)}` : toDuration(toMs - fromMs)}</span>
        {note && <span class="timeline-note">{showHidden(note)}</span>}
      </div>
      {inner && isOpen.value && (
        <ol class="timeline-inner">
          {inner.map((one) => (
            <Line key={`${one.label}${one.fromMs}`} row={one} totalMs={totalMs} />
          ))}
        </ol>
      )}
    </li>
  );
}
