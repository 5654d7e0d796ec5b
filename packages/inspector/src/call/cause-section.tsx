import type { JSX } from 'preact';
import type { Cause } from '../api/api-shapes.ts';
import { serverFacts } from '../state/server-facts.ts';
import { useAnswer } from '../state/use-answer.ts';
import { Section } from '../ui/section.tsx';
import { TextBlock } from '../ui/text-block.tsx';
import { showHidden } from '../words/show-hidden.ts';

/** Shows the operator's cause of a failure with its stack and source line, where the server allows it. */
export function CauseSection({ id }: { readonly id: string }): JSX.Element | null {
  const { value } = useAnswer<Partial<Cause>>(serverFacts.value?.causes ? `v1/calls/${encodeURIComponent(id)}/cause` : undefined).value;
  if (value?.name === undefined) return null;
  return (
    <Section title="Cause" note="for operators only, never sent to a model">
      <CauseView cause={value as Cause} />
    </Section>
  );
}

function CauseView({ cause }: { readonly cause: Omit<Cause, 'causes'> & Partial<Cause> }): JSX.Element {
  const { name, message, stack, source, causes = [] } = cause;
  return (
    <div class="cause">
      <p class="message">
        <code>{showHidden(name)}</code> {showHidden(message)}
      </p>
      {source && (
        <figure class="source">
          <figcaption>{`${showHidden(source.file)}:${source.line}`}</figcaption>
          <ol>
            {source.lines.map((text, index) => (
              <li key={source.from + index} class={source.from + index === source.line ? 'source-here' : ''}>
                <span class="source-number">{source.from + index}</span>
                <code>{showHidden(text)}</code>
              </li>
            ))}
          </ol>
        </figure>
      )}
      {stack && (
        <details class="composer-more" open={source === undefined}>
          <summary>Stack</summary>
          <TextBlock text={stack} what="stack" />
        </details>
      )}
      {causes.map((inner, index) => (
        <div key={index} class="cause-inner">
          <h3>Caused by</h3>
          <CauseView cause={inner} />
        </div>
      ))}
    </div>
  );
}
