import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Outcome } from '../../../core/outcome/index.ts';
import type { RecordedCall } from '../api/api-shapes.ts';
import { askServer } from '../api/ask-server.ts';
import { filters } from '../state/calls-store.ts';
import { writeFilters } from '../state/filters.ts';
import { useKeys } from '../state/keys.ts';
import { goTo, toHash } from '../state/route.ts';
import { serverFacts } from '../state/server-facts.ts';
import { tools } from '../state/tools-store.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { effectsWords } from '../words/outcome-words.ts';
import { callTool, sendForOutcome } from './call-tool.ts';
import { Composer } from './composer.tsx';
import { RerunDialog } from './rerun-dialog.tsx';

/** What can be done with a call: again, again with changes, broken on purpose, from a step, stopped. */
export function CallActions({ call }: { readonly call: RecordedCall }): JSX.Element {
  const shown = useSignal<'' | 'edit' | 'break' | 'ask' | 'rerun'>('');
  const problem = useSignal('');
  const busy = useSignal(false);
  const tool = tools.value?.find(({ name }) => name === call.tool);
  const steps = call.trace?.steps ?? [];
  const isRunning = call.status === 'running' && !call.lost;
  const isWaiting = call.status === 'pending' && call.outcome?.status === 'pending' && call.outcome.pending.reason === 'running';

  const attempt = async (act: () => Promise<void>): Promise<void> => {
    busy.value = true;
    problem.value = '';
    try {
      await act();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
    busy.value = false;
  };
  const again = (key?: string): Promise<void> =>
    attempt(async () => {
      shown.value = '';
      open(await callTool(call.tool, call.input, { key, runId: call.runId }));
    });
  const rerun = (step: string): Promise<void> =>
    attempt(async () => {
      shown.value = '';
      open(await sendForOutcome(`v1/calls/${encodeURIComponent(call.id)}/rerun`, { from: step }));
    });
  const askOrCall = (): void => {
    if (tool === undefined) return;
    if (!call.isWhole) shown.value = 'edit';
    else if (effectsWords(tool.effects).tone === 'warn') shown.value = 'ask';
    else void again();
  };
  const edit = (): void => {
    if (tool !== undefined) shown.value = 'edit';
  };
  useKeys({ r: askOrCall, e: edit });
  return (
    <div class="actions">
      {tool !== undefined && (
        <>
          <button type="button" disabled={busy.value} onClick={askOrCall} title="Call again (r)">
            <Icon name="again" size={14} />
            Call again
          </button>
          <button type="button" onClick={edit} title="Edit and call (e)">
            <Icon name="edit" size={14} />
            Edit and call
          </button>
          {serverFacts.value?.dev && serverFacts.value.faults.length > 0 && (
            <button
              type="button"
              onClick={() => {
                shown.value = 'break';
              }}
            >
              <Icon name="bolt" size={14} />
              Break it
            </button>
          )}
        </>
      )}
      {serverFacts.value?.rerun && call.status === 'error' && steps.length > 0 && (
        <button
          type="button"
          disabled={busy.value}
          onClick={() => {
            shown.value = 'rerun';
          }}
        >
          <Icon name="play" size={14} />
          Run from a step
        </button>
      )}
      {(isRunning || isWaiting) && (
        <button
          type="button"
          class="danger"
          disabled={busy.value}
          onClick={() =>
            void attempt(async () => void (await askServer(`v1/calls/${encodeURIComponent(call.id)}/cancel`, { method: 'POST', body: {} })))
          }
        >
          <Icon name="stop" size={14} />
          Cancel
        </button>
      )}
      <CopyButton text={() => location.href} what="a link to this call" label="Copy link" />
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {shown.value === 'rerun' && (
        <RerunDialog
          steps={steps}
          onRun={(step) => void rerun(step)}
          onClose={() => {
            shown.value = '';
          }}
        />
      )}
      {shown.value === 'ask' && (
        <Dialog
          title={`Call ${call.tool} again?`}
          onClose={() => {
            shown.value = '';
          }}
        >
          <p>{`${call.tool} changes the outside world. Calling it again may change it a second time.`}</p>
          <div class="composer-end">
            <button type="button" class="main" onClick={() => void again()}>
              Call it again
            </button>
            {call.key !== undefined && (
              <button type="button" onClick={() => void again(call.key)} title="Answers with the first outcome instead of running again">
                With the same key
              </button>
            )}
          </div>
        </Dialog>
      )}
      {tool !== undefined && (shown.value === 'edit' || shown.value === 'break') && (
        <Dialog
          wide
          title={shown.value === 'break' ? `Break ${call.tool} on purpose` : `Edit and call ${call.tool}`}
          onClose={() => {
            shown.value = '';
          }}
        >
          {!call.isWhole && (
            <p class="section-note">Secrets are hidden and large parts are cut in what the journal keeps: complete the arguments first.</p>
          )}
          <Composer
            tool={tool}
            args={call.input}
            breaks={shown.value === 'break'}
            onOutcome={(outcome) => {
              shown.value = '';
              open(outcome);
            }}
          />
        </Dialog>
      )}
    </div>
  );
}

/** Shows the call that was just made. */
function open({ meta: { invocationId } }: Outcome): void {
  if (invocationId !== undefined) goTo(toHash('calls', invocationId, writeFilters(filters.value)));
}
