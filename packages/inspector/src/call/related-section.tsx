import type { JSX } from 'preact';
import type { ListedCall, RecordedCall, Related } from '../api/api-shapes.ts';
import { toHash } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { Section } from '../ui/section.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { aboutCall } from '../words/about-call.ts';
import { showHidden } from '../words/show-hidden.ts';
import { toDuration } from '../words/to-duration.ts';

const titles = { run: 'Same run', key: 'Same key', replays: 'Replays' } as const satisfies Record<keyof Related, string>;

/** Lists the calls that belong to a call: those of its run, those with its key, and its replays. */
export function RelatedSection({ call }: { readonly call: RecordedCall }): JSX.Element | null {
  const { value } = useAnswer<Related>(`v1/calls/${encodeURIComponent(call.id)}/related`, call.status).value;
  const groups = (Object.keys(titles) as (keyof Related)[]).flatMap((name) => {
    const others = (value?.[name] ?? []).filter(({ id }) => id !== call.id);
    return others.length === 0 ? [] : [{ name, others }];
  });
  if (groups.length === 0) return null;
  return (
    <Section title="Related calls">
      {groups.map(({ name, others }) => (
        <div key={name} class="related">
          <h3>{titles[name]}</h3>
          <ul>
            {others.slice(0, 20).map((other) => (
              <RelatedCall key={other.id} call={other} />
            ))}
          </ul>
          {name === 'run' && call.runId && (
            <a class="related-all" href={toHash('runs', call.runId)}>
              Show the whole run
            </a>
          )}
        </div>
      ))}
    </Section>
  );
}

function RelatedCall({ call }: { readonly call: ListedCall }): JSX.Element {
  return (
    <li>
      <a class="related-call" href={toHash('calls', call.id)}>
        <StatusMark status={call.status} />
        <span class="row-tool">{showHidden(call.tool)}</span>
        <span class="row-text">{showHidden(aboutCall(call))}</span>
        <span class="row-took">{call.tookMs === undefined ? '' : toDuration(call.tookMs)}</span>
      </a>
    </li>
  );
}
