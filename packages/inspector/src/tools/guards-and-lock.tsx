import type { JSX } from 'preact';
import type { ToolDetails } from '../api/api-shapes.ts';
import { Chip } from '../ui/chip.tsx';
import { Section } from '../ui/section.tsx';
import { guardAbout } from '../words/guard-about.ts';
import { kindText } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';

const lockWords = {
  same: { text: 'Same as in the lock file', tone: 'good' },
  changed: { text: 'Changed since the lock file', tone: 'warn' },
  missing: { text: 'Not in a lock file', tone: 'calm' },
  unknown: { text: 'No lock file on this server', tone: 'calm' },
} as const;

/** Shows what a tool promises beyond its schemas: failures, guards, and whether its contract changed since it was locked. */
export function GuardsAndLock({
  details: { failures, promises, guards, lock },
  isAdded,
}: {
  readonly details: ToolDetails;
  /** Whether the tool is Toolpact's own, which no lock file holds. */
  readonly isAdded: boolean;
}): JSX.Element {
  const codes = Object.entries(failures);
  return (
    <>
      {codes.length > 0 && (
        <Section title="Declared failures">
          <ul class="issues">
            {codes.map(([code, kind]) => (
              <li key={code}>
                <code>{showHidden(code)}</code>
                <span title={kind}>{kindText(kind)}</span>
              </li>
            ))}
          </ul>
        </Section>
      )}
      {(promises.length > 0 || guards.length > 0) && (
        <Section title="Guards" note={promises.length > 0 ? `set for this tool: ${promises.join(', ')}` : 'in order, outermost first'}>
          <ol class="guards">
            {guards.map(({ name, phase }) => (
              <li key={`${name} ${phase}`}>
                <code>{showHidden(name)}</code>
                <span class="section-note">{guardAbout(name)}</span>
              </li>
            ))}
          </ol>
        </Section>
      )}
      {!isAdded && (
        <Section
          title="Contract"
          note={
            <Chip tone={lockWords[lock.state].tone} title={`lock: ${lock.state}`}>
              {lockWords[lock.state].text}
            </Chip>
          }
        >
          {lock.changes.length > 0 && (
            <ul class="issues">
              {lock.changes.map(({ place, level, message }) => (
                <li key={`${place}${message}`}>
                  <code>{showHidden(place)}</code>
                  <span>{`${level === 'breaking' ? 'Breaking: ' : ''}${showHidden(message)}`}</span>
                </li>
              ))}
            </ul>
          )}
          {lock.state === 'missing' && (
            <p class="section-note">
              <code>toolpact lock</code> takes a snapshot; <code>toolpact diff</code> then shows what changed.
            </p>
          )}
        </Section>
      )}
    </>
  );
}
