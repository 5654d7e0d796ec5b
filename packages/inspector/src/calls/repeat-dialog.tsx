import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { sendForOutcome } from '../actions/call-tool.ts';
import type { CallPage, ListedCall } from '../api/api-shapes.ts';
import { askServer } from '../api/ask-server.ts';
import { type CallFilters, toApiQuery } from '../state/filters.ts';
import { toHash } from '../state/route.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Problem } from '../ui/problem.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { Waiting } from '../ui/waiting.tsx';
import { aboutCall } from '../words/about-call.ts';
import { errorText } from '../words/error-text.ts';
import { recordedId } from '../words/recorded-id.ts';
import { showHidden } from '../words/show-hidden.ts';

/** A failed call, whether it may run again, and what came of that. */
interface Candidate {
  readonly call: ListedCall;
  readonly refused?: string;
  readonly isChosen: boolean;
  readonly result?: { readonly status: ListedCall['status']; readonly id?: string | undefined; readonly text?: string };
}

/** So many calls are offered, and so many are asked about at once. */
const maxOffered = 100;
/** The kinds that fail again with the same arguments, unless the tool has changed. */
const mustFail: ReadonlySet<string | undefined> = new Set(['invalid_input', 'unknown_tool', 'unsupported', 'too_large']);
const atOnce = 4;

/** Offers the failed calls that pass the filters, chosen where none of their effects can happen twice, and runs them again. */
export function RepeatDialog({ filters, onClose }: { readonly filters: CallFilters; readonly onClose: () => void }): JSX.Element {
  const candidates = useSignal<readonly Candidate[] | undefined>(undefined);
  const state = useSignal<'choosing' | 'running' | 'done'>('choosing');
  const problem = useSignal('');
  useEffect(() => {
    const stop = new AbortController();
    readCandidates(filters, stop.signal).then(
      (found) => {
        candidates.value = found;
      },
      (error: unknown) => {
        if (!stop.signal.aborted) problem.value = errorText(error);
      },
    );
    return () => stop.abort();
  }, []);
  const change = (id: string, part: Partial<Candidate>): void => {
    candidates.value = candidates.value?.map((one) => (one.call.id === id ? { ...one, ...part } : one));
  };
  const chosen = candidates.value?.filter(({ isChosen }) => isChosen) ?? [];
  const run = async (): Promise<void> => {
    state.value = 'running';
    // One after the other: whatever made them fail may not stand many at once.
    for (const { call } of chosen) {
      try {
        const outcome = await sendForOutcome(`v1/calls/${encodeURIComponent(call.id)}/repeat`, {});
        change(call.id, { result: { status: outcome.status, id: recordedId(outcome) } });
      } catch (error) {
        change(call.id, { result: { status: 'error', text: errorText(error) } });
      }
    }
    state.value = 'done';
  };
  const done = chosen.filter(({ result }) => result !== undefined);
  return (
    <Dialog title="Run failed calls again" wide onClose={onClose}>
      <div class="composer">
        <p class="section-note">
          The selected calls can run again without repeating an effect. They run with their stored arguments, and steps that took effect are
          not repeated.
        </p>
        <Problem text={problem.value} />
        {candidates.value === undefined && problem.value === '' && <Waiting text="Loading calls…" />}
        {candidates.value?.length === 0 && <p>No failed calls match the filters.</p>}
        <ul class="repeat-list">
          {candidates.value?.map(({ call, refused, isChosen, result }) => (
            <li key={call.id}>
              <label>
                <input
                  type="checkbox"
                  checked={isChosen}
                  disabled={refused !== undefined || state.value !== 'choosing'}
                  onChange={({ currentTarget }) => change(call.id, { isChosen: currentTarget.checked })}
                />
                <StatusMark status={result?.status ?? call.status} />
                <span class="row-tool">{showHidden(call.tool)}</span>
                <span class="repeat-text">{showHidden(refused ?? result?.text ?? aboutCall(call))}</span>
              </label>
              {result?.id !== undefined && (
                <a href={toHash('calls', result.id)} onClick={onClose}>
                  {result.status === 'error' ? 'Failed again' : 'Show'}
                </a>
              )}
            </li>
          ))}
        </ul>
        <div class="composer-end">
          {state.value === 'done' ? (
            <button type="button" class="main" onClick={onClose}>
              Close
            </button>
          ) : (
            <button type="button" class="main" disabled={chosen.length === 0 || state.value === 'running'} onClick={() => void run()}>
              {state.value === 'running' ? `${done.length} of ${chosen.length}` : `Run ${chosen.length} again`}
            </button>
          )}
        </div>
      </div>
    </Dialog>
  );
}

async function readCandidates(filters: CallFilters, signal: AbortSignal): Promise<readonly Candidate[]> {
  const query = toApiQuery({ ...filters, status: ['error'] }, Date.now());
  query.set('limit', String(maxOffered));
  const { calls } = await askServer<CallPage>(`v1/calls?${query}`, { signal });
  const found: Candidate[] = [];
  for (let at = 0; at < calls.length; at += atOnce) {
    const asked = calls.slice(at, at + atOnce).map(async (call): Promise<Candidate> => {
      const { refused } = await askServer<{ readonly refused?: string }>(`v1/calls/${encodeURIComponent(call.id)}/repeat`, { signal });
      return { call, isChosen: refused === undefined && !mustFail.has(call.kind), ...(refused !== undefined && { refused }) };
    });
    found.push(...(await Promise.all(asked)));
  }
  return found;
}
