import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Health } from '../api/api-shapes.ts';
import { onCalls } from '../state/connection.ts';
import { now } from '../state/now.ts';
import { goTo, route, toHash } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { Empty } from '../ui/empty.tsx';
import { Section } from '../ui/section.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { CallsPlot } from './calls-plot.tsx';
import { EffectsTable, KindsTable, OutcomesTable, ToolsTable, UnreadTable } from './health-tables.tsx';
import { BreakersTable, LimitsTable } from './limit-tables.tsx';
import { toColumns } from './to-columns.ts';

const spans = [
  ['15m', 'Last 15 minutes', 900_000],
  ['1h', 'Last hour', 3_600_000],
  ['6h', 'Last 6 hours', 21_600_000],
  ['24h', 'Last 24 hours', 86_400_000],
] as const;

/** How the server stands: calls per minute, times, failures, breakers and limits. Follows the calls as they come. */
export function HealthPage(): JSX.Element {
  const [, , spanMs] = spans.find(([name]) => name === route.value.query.get('since')) ?? spans[0];
  const version = useVersion();
  const { value, error } = useAnswer<Health>(`v1/inspector/health?since=${roundedStart(spanMs)}`, version).value;
  if (value === undefined) {
    if (error === undefined) return <Waiting />;
    return (
      <Empty icon="health" isPage title="No health data">
        <p>
          {error.status === 404 || error.status === 501
            ? 'This server does not record calls. Give the toolbox a store to record them.'
            : error.message}
        </p>
      </Empty>
    );
  }
  const columns = toColumns(value.perMinute, spanMs, now.value);
  return (
    <div class="page page-wide">
      <div class="page-head">
        <h1>Health</h1>
        <p class="page-note">{`${value.total.toLocaleString('en')} calls${value.complete ? '' : ' (the newest)'}, ${value.running} running now`}</p>
        <label class="choice page-choice">
          <span class="unseen">Time</span>
          <select
            value={spans.find(([, , ms]) => ms === spanMs)?.[0]}
            onChange={({ currentTarget }) => goTo(toHash('health', '', `since=${currentTarget.value}`), { replace: true })}
          >
            {spans.map(([name, text]) => (
              <option key={name} value={name}>
                {text}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="health">
        <Section title="Calls per minute, by outcome">
          <div class="plot-pair">
            <CallsPlot columns={columns} />
            <OutcomesTable columns={columns} />
          </div>
        </Section>
        <Section title="Tools" note="half of the calls are faster than p50, 95% are faster than p95">
          <ToolsTable tools={value.tools} />
        </Section>
        <Section title="Failures of unknown kind" note="messages that could not be classified">
          <UnreadTable unread={value.unread} />
        </Section>
        <div class="pair">
          <div class="health">
            <Section title="Failures by kind">
              <KindsTable kinds={value.kinds} />
            </Section>
            <Section title="Failures by effect" note="whether they changed anything">
              <EffectsTable effects={value.effects} />
            </Section>
          </div>
          <div class="health">
            <Section title="Circuit breakers">
              <BreakersTable breakers={value.breakers} />
            </Section>
            <Section title="Limits">
              <LimitsTable limits={value.limits} />
            </Section>
          </div>
        </div>
      </div>
    </div>
  );
}

/** The start of the time, rounded so that a change of the address means a new minute. */
function roundedStart(spanMs: number): number {
  return Math.floor((now.value - spanMs) / 60_000) * 60_000;
}

/** Goes up a little after calls came in, at most once a second, and every five seconds for what the guards count. */
function useVersion(): number {
  const [version, setVersion] = useState(0);
  useEffect(() => {
    const next = (): void => setVersion((before) => before + 1);
    let waiting: ReturnType<typeof setTimeout> | undefined;
    const stop = onCalls(() => {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        next();
      }, 1000);
    });
    const timer = setInterval(() => document.visibilityState === 'visible' && next(), 5000);
    return () => {
      stop();
      clearTimeout(waiting);
      clearInterval(timer);
    };
  }, []);
  return version;
}
