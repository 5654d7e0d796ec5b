import type { JSX } from 'preact';
import type { Breaker, Limit } from '../api/api-shapes.ts';
import { now } from '../state/now.ts';
import { Chip } from '../ui/chip.tsx';
import type { Tone } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';

const states = {
  closed: { text: 'Closed, lets calls on', tone: 'good' },
  open: { text: 'Open, stops calls', tone: 'bad' },
  probing: { text: 'Probing, tries one call', tone: 'warn' },
} as const satisfies Record<Breaker['state'], { text: string; tone: Tone }>;

/** Circuit breakers as they stand. */
export function BreakersTable({ breakers }: { readonly breakers: readonly Breaker[] }): JSX.Element {
  if (breakers.length === 0)
    return (
      <p class="section-note">None has counted a failure. The guard circuitBreaker leaves a tool alone while what is behind it is down.</p>
    );
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Failures
          </th>
        </tr>
      </thead>
      <tbody>
        {breakers.map(({ key, tool, state, failures, limit, openUntil }) => (
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
            <td class="number">{`${failures} of ${limit}`}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Limits and how much of each is used. */
export function LimitsTable({ limits }: { readonly limits: readonly Limit[] }): JSX.Element {
  if (limits.length === 0) return <p class="section-note">No limit is in use. The guards rateLimit, concurrency and budget set them.</p>;
  return (
    <div class="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">For</th>
            <th scope="col">Used</th>
            <th scope="col" class="number">
              Waiting
            </th>
          </tr>
        </thead>
        <tbody>
          {limits.map(({ guard, key, tool, used, limit, waiting, windowEndsAt }) => (
            <tr key={`${guard} ${tool} ${key}`}>
              <th scope="row" class="mono">
                {guard}
              </th>
              <td class="mono">{showHidden([tool, key].filter(Boolean).join(' '))}</td>
              <td>
                <meter min={0} max={limit} high={limit * 0.9} value={used} aria-label={`${used} of ${limit} used`} />{' '}
                {`${used} of ${limit}`}
                {windowEndsAt && <Left until={windowEndsAt} />}
              </td>
              <td class="number">{waiting ?? ''}</td>
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
