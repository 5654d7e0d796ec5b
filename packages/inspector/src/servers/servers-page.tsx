import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { GatewayServer, GatewayTool } from '../api/api-shapes.ts';
import { askServer } from '../api/ask-server.ts';
import { now } from '../state/now.ts';
import { toHash } from '../state/route.ts';
import { serverFacts } from '../state/server-facts.ts';
import { useAnswer } from '../state/use-answer.ts';
import { Chip } from '../ui/chip.tsx';
import { Empty } from '../ui/empty.tsx';
import { Problem } from '../ui/problem.tsx';
import { Section } from '../ui/section.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { errorText } from '../words/error-text.ts';
import type { Tone } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';

const states = {
  running: { text: 'Running', tone: 'good' },
  starting: { text: 'Starting', tone: 'warn' },
  down: { text: 'Down', tone: 'bad' },
  closed: { text: 'Closed', tone: 'calm' },
} as const satisfies Record<GatewayServer['status'], { text: string; tone: Tone }>;

const held = {
  block: 'Blocked until you accept the change.',
  ask: 'Each call needs approval until you accept the change.',
  warn: 'Allowed, with a warning.',
} as const;

/** How often the state of the servers is asked for. */
const everyMs = 3_000;

/** The servers behind a gateway: how they are, their tools with the rules for them, and what has changed in them. */
export function ServersPage(): JSX.Element {
  const heading = useRef<HTMLHeadingElement>(null);
  const accepted = useSignal<readonly string[]>([]);
  const isGateway = serverFacts.value && serverFacts.value.gateway === true;
  const { value, error } = useAnswer<{ readonly servers: readonly GatewayServer[] }>(
    isGateway ? 'v1/inspector/gateway' : undefined,
    `${accepted.value.length} ${Math.floor(now.value / everyMs)}`,
  ).value;
  useEffect(() => {
    // The button that had the focus has gone with the change that it accepted.
    if (accepted.value.length > 0 && document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [value]);
  if (value === undefined) {
    const problem = isGateway === false ? 'This server is not a gateway. Start one with toolpact wrap.' : error?.message;
    if (problem === undefined) return <Waiting />;
    return (
      <Empty icon="plug" isPage title="No servers to show">
        <p>{problem}</p>
      </Empty>
    );
  }
  return (
    <div class="page page-wide servers">
      <div class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          Servers
        </h1>
        <p class="unseen" role="status">
          {accepted.value.length > 0 && showHidden(`Accepted: ${accepted.value.at(-1)}`)}
        </p>
        <p class="page-note">The wrapped servers, and the rules for their tools.</p>
      </div>
      {value.servers.map((server) => (
        <Server
          key={server.name}
          server={server}
          onAccepted={(tool) => {
            accepted.value = [...accepted.value, tool];
          }}
        />
      ))}
    </div>
  );
}

function Server({ server, onAccepted }: { readonly server: GatewayServer; readonly onAccepted: (tool: string) => void }): JSX.Element {
  const { name, status, info, starts, problem, tools, lastLines } = server;
  const { text, tone } = states[status];
  const facts = [info && `${info.name} ${info.version}`, starts > 1 && `${starts} starts`].filter(Boolean).join(', ');
  return (
    <Section
      title={name}
      note={
        <>
          <Chip tone={tone}>{text}</Chip> {showHidden(facts)}
        </>
      }
    >
      {status !== 'running' && problem !== undefined && <p class="section-note sentence">{showHidden(problem)}</p>}
      {status !== 'running' && lastLines.length > 0 && <pre class="mono">{showHidden(lastLines.join('\n'))}</pre>}
      {tools.length > 0 && (
        <table>
          <TableHead columns={['Tool', 'Rule', 'Contract']} />
          <tbody>
            {tools.map((tool) => (
              <tr key={tool.listedAs}>
                <th scope="row" class="mono">
                  {tool.rule.hide === true || tool.leftOut !== undefined ? (
                    showHidden(tool.name)
                  ) : (
                    <a href={toHash('tools', tool.name)}>{showHidden(tool.name)}</a>
                  )}
                </th>
                <td>{ruleText(tool)}</td>
                <td>{tool.drift === undefined ? 'as accepted' : <Drift tool={tool} drift={tool.drift} onAccepted={onAccepted} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  );
}

interface DriftProps {
  readonly tool: GatewayTool;
  readonly drift: NonNullable<GatewayTool['drift']>;
  readonly onAccepted: (tool: string) => void;
}

/** The changes of a tool since it was accepted. The words come from the server, so they are shown as plain text only. */
function Drift({ tool, drift, onAccepted }: DriftProps): JSX.Element {
  const problem = useSignal('');
  const accept = async (): Promise<void> => {
    try {
      await askServer('v1/inspector/gateway/accept', {
        method: 'POST',
        body: { tools: [{ name: tool.name, fingerprint: drift.fingerprint }] },
      });
      onAccepted(tool.name);
    } catch (error) {
      problem.value = errorText(error);
    }
  };
  return (
    <>
      <p>
        <Chip tone={drift.changes.some(({ level }) => level === 'breaking') ? 'bad' : 'warn'}>Changed</Chip> {held[drift.mode]}
      </p>
      {drift.changes.map(({ place, message, before, after }) => (
        <div key={`${place} ${message}`}>
          <p class="section-note">{showHidden(`${place}: ${message}`)}</p>
          {before !== undefined && <pre class="mono">{`- ${wordsOf(before)}`}</pre>}
          {after !== undefined && <pre class="mono">{`+ ${wordsOf(after)}`}</pre>}
        </div>
      ))}
      <button type="button" onClick={() => void accept()}>
        {`Accept ${showHidden(tool.name)} as it is now`}
      </button>
      <Problem text={problem.value} />
    </>
  );
}

function wordsOf(value: unknown): string {
  return showHidden(typeof value === 'string' ? value : JSON.stringify(value));
}

function ruleText({ rule, leftOut }: GatewayTool): string {
  if (leftOut !== undefined) return showHidden(`left out: ${leftOut}`);
  if (rule.hide === true) return 'hidden';
  const parts = Object.entries(rule).map(([option, value]) => `${option}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return parts.length === 0 ? 'no rule: treated as writing' : showHidden(parts.join(', '));
}
