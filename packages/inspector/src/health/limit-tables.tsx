import type { JSX } from 'preact';
import type { Breaker, Limit } from '../api/api-shapes.ts';
import { now } from '../state/now.ts';
import { Chip } from '../ui/chip.tsx';
import { TableHead } from '../ui/table-head.tsx';
import type { Tone } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';

const states = {
  closed: { text: 'Closed: calls pass', tone: 'good' },
  open: { text: 'Open: calls are refused', tone: 'bad' },
  probing: { text: 'Half-open: one trial call', tone: 'warn' },
} as const satisfies Record<Breaker['state'], { text: string; tone: Tone }>;

/** Which come first: those that need attention. */
const order: readonly Breaker['state'][] = ['open', 'probing', 'closed'];

/** Circuit breakers as they stand; those without any failure are one line together. */
export function BreakersTable({ breakers }: { readonly breakers: readonly Breaker[] }): JSX.Element {
  if (breakers.length === 0) return <p class="section-note">None. The circuitBreaker guard stops calling a tool whose backend is down.</p>;
  const isQuiet = ({ state, failures }: Breaker): boolean => state === 'closed' && failures === 0;
  const shown = breakers.filter((breaker) => !isQuiet(breaker)).sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  const quiet = breakers.filter(isQuiet).map(({ tool, key }) => tool ?? key);
  return (
    <>
      {shown.length > 0 && (
        <table>
          <TableHead columns={['Tool', 'State', ['Failures', 'number']]} />
          <tbody>
            {shown.map(({ key, tool, state, failures, limit, openUntil }) => (
              <tr key={`${tool} ${key}`}>
                <th scope="row" class="mono">
                  {showHidden(tool ?? key)}
                </th>
                <td>
                  <Chip tone={states[state].tone} title={state}>
                    {states[state].text}
                  </Chip>
                  {openUntil && <Left until={openUntil} />}
                </td>
                <td class="number">{state === 'closed' ? `${failures} of ${limit}` : `${limit} or more`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {quiet.length > 0 && <p class="section-note">{`Closed, no recent failures: ${showHidden(quiet.join(', '))}.`}</p>}
    </>
  );
}

/** Descriptions of the limits; a limit of another guard is shown by its name. */
const limitWords: Readonly<Record<string, string>> = {
  'rate-limit': 'Rate',
  concurrency: 'Concurrent calls',
  budget: 'Budget',
};

/** Limits and how much of each is used. */
export function LimitsTable({ limits }: { readonly limits: readonly Limit[] }): JSX.Element {
  if (limits.length === 0)
    return <p class="section-note">No limit has counted a call recently. The guards rateLimit, concurrency and budget set limits.</p>;
  return (
    <div class="table-frame">
      <table>
        <TableHead columns={['Limit', 'Applies to', 'Used', ['Waiting', 'number wide-only']]} />
        <tbody>
          {limits.map(({ guard, key, tool, used, limit, waiting, windowEndsAt }) => (
            <tr key={`${guard} ${tool} ${key}`}>
              <th scope="row" title={guard}>
                {limitWords[guard] ?? showHidden(guard)}
              </th>
              <td class="mono">{showHidden(tool ?? key)}</td>
              <td>
                <meter min={0} max={limit} high={limit * 0.9} value={used} aria-label={`${used} of ${limit} used`} />{' '}
                {`${used} of ${limit}`}
                {windowEndsAt && <Left until={windowEndsAt} />}
              </td>
              <td class="number wide-only">{waiting ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Left({ until }: { readonly until: string }): JSX.Element | null {
  const left = Date.parse(until) - now.value;
  return left > 0 ? <span class="section-note">{` for ${toDuration(Math.ceil(left / 1000) * 1000)}`}</span> : null;
}
