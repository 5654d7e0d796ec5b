import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Outcome } from 'toolpact';
import { Composer } from '../actions/composer.tsx';
import type { ListedTool, ToolDetails } from '../api/api-shapes.ts';
import { toHash } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { JsonTree } from '../tree/json-tree.tsx';
import { Chip } from '../ui/chip.tsx';
import { Section } from '../ui/section.tsx';
import { isAddedTool } from '../words/added-tools.ts';
import { effectsWords } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';
import { BackToTools } from './back-to-tools.tsx';
import { CheckSection } from './check-section.tsx';
import { GuardsAndLock } from './guards-and-lock.tsx';
import { OutcomeView } from './outcome-view.tsx';

/** One tool: a form to call it first, then all that it promises. */
export function ToolPanel({ tool }: { readonly tool: ListedTool }): JSX.Element {
  const outcome = useSignal<Outcome | undefined>(undefined);
  const example = useSignal(0);
  const effects = effectsWords(tool.effects);
  const details = useAnswer<ToolDetails>(`v1/inspector/tools/${encodeURIComponent(tool.name)}`).value.value;
  return (
    <article class="tool" aria-label={showHidden(tool.name)}>
      <header class="tool-head">
        <BackToTools />
        <div class="pane-title">
          <h1>{showHidden(tool.name)}</h1>
          <p class="tool-text">{showHidden(tool.description)}</p>
          <div class="chips">
            <Chip tone={effects.tone} title={`effects: ${tool.effects}`}>
              {effects.text}
            </Chip>
            {isAddedTool(tool) && <Chip title="not a tool of this server's author">Added by Toolpact</Chip>}
            <a href={toHash('calls', '', new URLSearchParams({ tool: tool.name }).toString())}>Show calls</a>
          </div>
        </div>
      </header>
      <div class="tool-body">
        <Section
          title="Call"
          end={
            tool.examples.length > 1 && (
              <label class="choice">
                <span class="unseen">Example</span>
                <select
                  value={example.value}
                  onChange={({ currentTarget }) => {
                    example.value = Number(currentTarget.value);
                  }}
                >
                  {tool.examples.map((one, index) => (
                    <option key={JSON.stringify(one)} value={index}>
                      {`Example ${index + 1}`}
                    </option>
                  ))}
                </select>
              </label>
            )
          }
        >
          <Composer
            key={example.value}
            tool={tool}
            args={tool.examples[example.value]?.input}
            alwaysAsks={details?.alwaysAsks}
            onOutcome={(made) => {
              outcome.value = made;
            }}
          />
        </Section>
        {outcome.value && <OutcomeView outcome={outcome.value} />}
        <div class="pair">
          <Section title="Input schema">
            <JsonTree value={tool.inputSchema} />
          </Section>
          {tool.outputSchema && (
            <Section title="Output schema">
              <JsonTree value={tool.outputSchema} />
            </Section>
          )}
        </div>
        {tool.examples.length > 0 && (
          <Section title="Examples">
            {tool.examples.map(({ input, output }) => (
              <div key={JSON.stringify(input)} class="pair example">
                <div>
                  <h3>Arguments</h3>
                  <JsonTree value={input} />
                </div>
                {output !== undefined && (
                  <div>
                    <h3>Result</h3>
                    <JsonTree value={output} />
                  </div>
                )}
              </div>
            ))}
          </Section>
        )}
        {details && <GuardsAndLock details={details} isAdded={isAddedTool(tool)} />}
        <CheckSection tool={tool.name} />
      </div>
    </article>
  );
}
