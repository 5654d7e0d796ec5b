import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { JsonValue } from 'toolpact';
import type { CheckResult } from '../api/api-shapes.ts';
import { askServer } from '../api/ask-server.ts';
import { serverFacts } from '../state/server-facts.ts';
import { JsonTree } from '../tree/json-tree.tsx';
import { Icon } from '../ui/icon.tsx';
import { Section } from '../ui/section.tsx';
import { errorText } from '../words/error-text.ts';
import { showHidden } from '../words/show-hidden.ts';

/** Runs `check` on one tool from the page; only a server in `dev` allows it. */
export function CheckSection({ tool }: { readonly tool: string }): JSX.Element | null {
  const result = useSignal<CheckResult | undefined>(undefined);
  const state = useSignal<'' | 'run' | string>('');
  if (!serverFacts.value?.dev) return null;
  const check = async (): Promise<void> => {
    state.value = 'run';
    try {
      result.value = await askServer<CheckResult>('v1/inspector/check', { method: 'POST', body: { tools: [tool] } });
      state.value = '';
    } catch (error) {
      state.value = errorText(error);
    }
  };
  const findings = result.value?.findings;
  const kept = Object.values(result.value?.tools[0]?.verdicts ?? {}).filter(({ verdict }) => verdict === 'kept').length;
  return (
    <Section
      title="Check"
      note="runs the tool with unusual arguments and injected faults, and checks its contract"
      end={
        <button type="button" disabled={state.value === 'run'} onClick={() => void check()}>
          <Icon name={state.value === 'run' ? 'running' : 'play'} size={14} />
          {state.value === 'run' ? 'Checking…' : 'Run check'}
        </button>
      }
    >
      {state.value !== '' && state.value !== 'run' && (
        <p class="problem" role="alert">
          {state.value}
        </p>
      )}
      {findings?.length === 0 && (
        <p class="good-news" role="status">
          <Icon name="ok" size={14} />
          {`No findings: ${kept} checks passed.`}
        </p>
      )}
      {findings && findings.length > 0 && (
        <ul class="issues">
          {findings.map(({ check: name, level, message, fix }) => (
            <li key={`${name}${message}`}>
              <code>{name}</code>
              <span>{showHidden([level === 'should' && 'Advice:', message, fix].filter(Boolean).join(' '))}</span>
            </li>
          ))}
        </ul>
      )}
      {result.value && (
        <details class="composer-more">
          <summary>Full result</summary>
          <JsonTree value={result.value as unknown as JsonValue} />
        </details>
      )}
    </Section>
  );
}
