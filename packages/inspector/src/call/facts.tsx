import type { ComponentChildren, JSX } from 'preact';
import type { RecordedCall } from '../api/api-shapes.ts';
import { toHash } from '../state/route.ts';
import { serverFacts } from '../state/server-facts.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Section } from '../ui/section.tsx';
import { fullTime } from '../words/local-time.ts';
import { showHidden } from '../words/show-hidden.ts';
import { traceAddress } from './trace-address.ts';

const names = [
  ['id', 'Call'],
  ['begunAt', 'Began'],
  ['endedAt', 'Ended'],
  ['traceId', 'Trace'],
  ['runId', 'Run'],
  ['key', 'Idempotency key'],
  ['replayOf', 'Replay of'],
  ['repeats', 'Repeat of'],
  ['rerunOf', 'Rerun of'],
  ['rerunFrom', 'From step'],
  ['sessionId', 'Session'],
  ['conversationId', 'Conversation'],
  ['userId', 'User'],
  ['agentName', 'Agent'],
  ['adapter', 'Adapter'],
  ['callId', 'Model’s call id'],
  ['handle', 'Handle'],
  ['tenantId', 'Tenant'],
] as const satisfies readonly (readonly [keyof RecordedCall, string])[];

/** The tenant of servers without tenants. */
const noTenant = '00000000-0000-0000-0000-000000000000';

/** Shows the ids and times of a call; what leads somewhere is a link. */
export function Facts({ call }: { readonly call: RecordedCall }): JSX.Element {
  return (
    <Section title="Facts">
      <dl class="facts">
        {names.flatMap(([name, title]) => {
          const value = call[name];
          // Most calls have their id as handle.
          if (value === undefined || value === noTenant || (name === 'handle' && value === call.id)) return [];
          return [
            <div key={name}>
              <dt>{title}</dt>
              <dd>
                {linked(name, value)}
                <CopyButton small text={() => value} what={title} />
              </dd>
            </div>,
          ];
        })}
      </dl>
    </Section>
  );
}

function linked(name: (typeof names)[number][0], value: string): ComponentChildren {
  if (name === 'begunAt' || name === 'endedAt') return <time dateTime={value}>{fullTime(value)}</time>;
  const text = <code>{showHidden(value)}</code>;
  if (name === 'runId') return <a href={toHash('runs', value)}>{text}</a>;
  if (name === 'tenantId') return <a href={toHash('calls', '', new URLSearchParams({ tenantId: value }).toString())}>{text}</a>;
  if (name === 'replayOf' || name === 'repeats' || name === 'rerunOf') return <a href={toHash('calls', value)}>{text}</a>;
  const address = name === 'traceId' ? traceAddress(serverFacts.value?.traceUrl, value) : undefined;
  if (address === undefined) return text;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  );
}
