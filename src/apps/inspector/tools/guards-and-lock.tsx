import type { JSX } from 'preact';
import type { JsonValue } from '../../../core/outcome/index.ts';
import type { ToolDetails } from '../api/api-shapes.ts';
import { JsonTree } from '../tree/json-tree.tsx';
import { Chip } from '../ui/chip.tsx';
import { Section } from '../ui/section.tsx';

const lockWords = {
  same: { text: 'Same as in the lock file', tone: 'good' },
  changed: { text: 'Changed since the lock file', tone: 'warn' },
  missing: { text: 'Not in a lock file', tone: 'calm' },
} as const;

/** Shows what a tool promises beyond its schemas: failures, guards, and whether its contract changed since it was locked. */
export function GuardsAndLock({ details: { failures, guards = [], lock } }: { readonly details: ToolDetails }): JSX.Element {
  const hasFailures = failures !== undefined && Object.keys(failures).length > 0;
  return (
    <>
      {hasFailures && (
        <Section title="Declared failures">
          <JsonTree value={failures as JsonValue} />
        </Section>
      )}
      {guards.length > 0 && (
        <Section title="Guards" note="what runs around each call, in order">
          <ol class="guards">
            {guards.map((given, index) => {
              const { name = '', guard = name, phase, description } = typeof given === 'string' ? { guard: given } : given;
              return (
                <li key={`${guard}${phase}${index}`}>
                  <code>{guard}</code>
                  {(description ?? phase) !== guard && <span class="section-note">{description ?? phase}</span>}
                </li>
              );
            })}
          </ol>
        </Section>
      )}
      {lock && (
        <Section
          title="Contract"
          note={
            <Chip tone={lockWords[lock.state].tone} title={`lock: ${lock.state}`}>
              {lockWords[lock.state].text}
            </Chip>
          }
        >
          {lock.changes && lock.changes.length > 0 && <JsonTree value={lock.changes as unknown as JsonValue} />}
          {lock.state === 'missing' && (
            <p class="section-note">`toolpact lock` writes the contracts down; `toolpact diff` then finds what changed.</p>
          )}
        </Section>
      )}
    </>
  );
}
