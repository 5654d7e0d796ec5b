import type { JSX } from 'preact';
import type { Health } from '../api/api-shapes.ts';
import { toHash } from '../state/route.ts';
import { isUnknownTool } from '../state/tools-store.ts';
import { StatusMark } from '../ui/status-mark.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { effectText, kindText, statusWords } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';
import { type Column, stacked } from './to-columns.ts';

/** Says in numbers what the plot of outcomes shows: the last column, and all of the time. */
export function OutcomesTable({ columns }: { readonly columns: readonly Column[] }): JSX.Element {
  const total = (status: (typeof stacked)[number]): number => columns.reduce((sum, { counts }) => sum + (counts[status] ?? 0), 0);
  return (
    <table>
      <TableHead columns={['Outcome', ['This minute', 'number'], ['All', 'number']]} />
      <tbody>
        {stacked.map((status) => (
          <tr key={status}>
            <th scope="row">
              <a class="plain-link" href={toHash('calls', '', `status=${status}`)}>
                <StatusMark status={status} />
                <span aria-hidden="true">{statusWords[status].text}</span>
              </a>
            </th>
            <td class="number">{(columns.at(-1)?.counts[status] ?? 0).toLocaleString('en')}</td>
            <td class="number">{total(status).toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Calls, failures and times of each tool, with bars for the times. */
export function ToolsTable({ tools }: { readonly tools: Health['tools'] }): JSX.Element {
  if (tools.length === 0) return <p class="section-note">No calls in this period.</p>;
  const slowest = Math.max(...tools.map(({ tookMs }) => tookMs?.p99 ?? 0), 0.001);
  return (
    <div class="table-frame">
      <table>
        <TableHead
          columns={[
            'Tool',
            ['Calls', 'number'],
            ['Failed', 'number'],
            ['p50', 'number wide-only'],
            ['p95', 'number'],
            ['p99', 'number wide-only'],
            ['Times (logarithmic)', 'wide-only'],
          ]}
        />
        <tbody>
          {tools.slice(0, 100).map(({ tool, counts, tookMs }) => {
            const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
            const failed = counts.error ?? 0;
            return (
              <tr key={tool}>
                <th scope="row">
                  <a class="row-tool" href={toHash('calls', '', new URLSearchParams({ tool }).toString())}>
                    {showHidden(tool)}
                  </a>
                  {isUnknownTool(tool) && <span class="section-note"> no such tool</span>}
                </th>
                <td class="number">{all.toLocaleString('en')}</td>
                <td class={failed > 0 ? 'number number-bad' : 'number'}>
                  {failed === 0 ? '0' : `${failed} (${Math.round((100 * failed) / all)}%)`}
                </td>
                {(['p50', 'p95', 'p99'] as const).map((name) => (
                  <td key={name} class={`number${isWide(name)}`}>
                    {tookMs === undefined ? '' : toDuration(tookMs[name])}
                  </td>
                ))}
                <td class="wide-only">
                  {tookMs && (
                    <span class="spread" aria-hidden="true">
                      {(['p99', 'p95', 'p50'] as const).map((name) => (
                        <span key={name} class={`spread-${name}`} style={{ width: `${share(tookMs[name], slowest)}%` }} />
                      ))}
                    </span>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Failures by kind, the most frequent first, with bars. */
export function KindsTable({ kinds }: { readonly kinds: Health['kinds'] }): JSX.Element {
  const sorted = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  if (sorted.length === 0) return <p class="section-note">No failures in this period.</p>;
  const most = sorted[0]?.[1] ?? 1;
  return (
    <table>
      <TableHead columns={['Kind', 'Share', 'Calls']} isUnseen />
      <tbody>
        {sorted.map(([kind, count]) => (
          <tr key={kind}>
            <th scope="row">
              <a href={toHash('calls', '', `kind=${kind}`)} title={kind}>
                {kindText(kind)}
              </a>
            </th>
            <td class="bar-cell">
              <span class="bar-line" aria-hidden="true" style={{ width: `${(100 * count) / most}%` }} />
            </td>
            <td class="number">{count.toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Failures by what they said about the outside world, the least certain first. */
export function EffectsTable({ effects }: { readonly effects: NonNullable<Health['effects']> }): JSX.Element {
  const shown = ['unknown', 'applied', 'none'].filter((effect) => (effects[effect] ?? 0) > 0);
  if (shown.length === 0) return <p class="section-note">No failures in this period.</p>;
  return (
    <table>
      <TableHead columns={['Effect', 'Calls']} isUnseen />
      <tbody>
        {shown.map((effect) => (
          <tr key={effect}>
            <th scope="row" title={`effect: ${effect}`}>
              {effectText(effect).text}
            </th>
            <td class="number">{(effects[effect] ?? 0).toLocaleString('en')}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Messages from which nothing could be read, and the line of code that would say more. */
export function UnreadTable({ unread }: { readonly unread: Health['unread'] }): JSX.Element {
  if (unread.length === 0) return <p class="section-note">Every message that came more than once was classified.</p>;
  return (
    <div class="table-frame">
      <table>
        <TableHead columns={['Tool', 'Message', ['Calls', 'number']]} />
        <tbody>
          {unread.map(({ tool, message, count }) => (
            <tr key={`${tool} ${message}`}>
              <th scope="row">
                <a class="row-tool" href={toHash('calls', '', new URLSearchParams({ tool, kind: 'failed' }).toString())}>
                  {showHidden(tool)}
                </a>
              </th>
              <td>
                <code>{showHidden(message)}</code>
              </td>
              <td class="number">{count.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="section-note">
        {"Throw fail('not_found', …) with the right kind instead of new Error(…), and the model is told what to do next."}
      </p>
    </div>
  );
}

/** On a phone only one of the times has room. */
function isWide(name: string): string {
  return name === 'p50' || name === 'p99' ? ' wide-only' : '';
}

/** Times differ by powers of ten, so their bars are drawn on a logarithmic scale. */
function share(ms: number, slowest: number): number {
  return Math.max(2, (100 * Math.log10(1 + ms)) / Math.log10(1 + slowest));
}
