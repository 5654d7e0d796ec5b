import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { CallDifference, CallPage, RecordedCall } from '../api/api-shapes.ts';
import { toHash } from '../state/route.ts';
import { useAnswer } from '../state/use-answer.ts';
import { FoldedSection } from '../ui/folded-section.tsx';
import { TableHead } from '../ui/table-head.tsx';
import { aboutCall } from '../words/about-call.ts';
import { shortTime } from '../words/local-time.ts';
import { statusText } from '../words/outcome-words.ts';
import { showHidden } from '../words/show-hidden.ts';

/** So many calls are offered, and so many characters of each are shown. */
const maxOffered = 50;
const maxOption = 60;

/** Compares a call with another of its tool: what differs in arguments, end, steps, result and time. */
export function CompareSection({ call }: { readonly call: RecordedCall }): JSX.Element {
  const isOpen = useSignal(false);
  const otherId = useSignal('');
  const list = useAnswer<CallPage>(isOpen.value ? `v1/calls?limit=${maxOffered}&tool=${encodeURIComponent(call.tool)}` : undefined).value;
  const others = (list.value?.calls ?? []).filter(({ id }) => id !== call.id);
  // The nearest one that ended differently says most.
  const suggested = others.find(({ status, begunAt }) => status !== call.status && begunAt <= call.begunAt) ?? others[0];
  const chosen = otherId.value || suggested?.id;
  const { value, error } = useAnswer<{ readonly differences: readonly CallDifference[] }>(
    isOpen.value && chosen !== undefined
      ? `v1/calls/${encodeURIComponent(call.id)}/difference?with=${encodeURIComponent(chosen)}`
      : undefined,
    call.status,
  ).value;
  return (
    <FoldedSection title="Compare" note="with another call of this tool" isOpen={isOpen}>
      {list.value !== undefined && others.length === 0 && <p class="section-note">This tool has no other calls.</p>}
      {others.length > 0 && (
        <>
          <div class="compare-choice">
            <label class="field">
              <span class="field-label">Compare with</span>
              <select
                value={chosen}
                onChange={({ currentTarget }) => {
                  otherId.value = currentTarget.value;
                }}
              >
                {others.map((other) => (
                  <option key={other.id} value={other.id}>
                    {`${shortTime(other.begunAt, Date.now())}, ${statusText(other.status).text}: ${showHidden(aboutCall(other)).slice(0, maxOption)}`}
                  </option>
                ))}
              </select>
            </label>
            {chosen !== undefined && <a href={toHash('calls', chosen)}>Open</a>}
          </div>
          {error && <p class="section-note">{error.message}</p>}
          {value?.differences.length === 0 && <p role="status">No differences.</p>}
          {value !== undefined && value.differences.length > 0 && (
            <div class="table-frame compare">
              <table>
                <TableHead columns={['Field', 'This call', 'Other call']} />
                <tbody>
                  {value.differences.map(({ field, a, b }) => (
                    <tr key={field}>
                      <th scope="row">{showHidden(field)}</th>
                      <td>{showHidden(a)}</td>
                      <td>{showHidden(b)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
        </>
      )}
    </FoldedSection>
  );
}
