import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { Outcome } from 'toolpact';
import type { RecordedCall } from '../api/api-shapes.ts';
import { askServer } from '../api/ask-server.ts';
import { filters } from '../state/calls-store.ts';
import { writeFilters } from '../state/filters.ts';
import { useKeys } from '../state/keys.ts';
import { goTo, toHash } from '../state/route.ts';
import { serverFacts } from '../state/server-facts.ts';
import { tools } from '../state/tools-store.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { Problem } from '../ui/problem.tsx';
import { errorText } from '../words/error-text.ts';
import { effectsWords } from '../words/outcome-words.ts';
import { recordedId } from '../words/recorded-id.ts';
import { CallAgainDialog } from './call-again-dialog.tsx';
import { callTool, sendForOutcome } from './call-tool.ts';
import { EditCallDialog } from './edit-call-dialog.tsx';
import { RerunDialog } from './rerun-dialog.tsx';

/** The actions for a call: repeat it, edit and repeat it, break it on purpose, run it from a step, stop it. */
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
      problem.value = errorText(error);
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
  const show = (name: typeof shown.value) => (): void => {
    shown.value = name;
  };
  const close = show('');
  const cancel = (): Promise<void> =>
    attempt(async () => {
      await askServer(`v1/calls/${encodeURIComponent(call.id)}/cancel`, { method: 'POST', body: {} });
    });
  const mayBreak = serverFacts.value?.dev && serverFacts.value.faults.length > 0;
  const mayRerun = serverFacts.value?.store && call.status === 'error' && steps.length > 0;
  useKeys({ r: askOrCall, e: edit });
  return (
    <div class="actions">
      {tool !== undefined && (
        <>
          <Action icon="again" label="Call again" title="Call again (r)" disabled={busy.value} onClick={askOrCall} />
          <Action icon="edit" label="Edit and call" title="Edit and call (e)" onClick={edit} />
          {mayBreak && <Action icon="bolt" label="Inject a fault" onClick={show('break')} />}
        </>
      )}
      {mayRerun && <Action icon="play" label="Run from a step" disabled={busy.value} onClick={show('rerun')} />}
      {(isRunning || isWaiting) && <Action icon="stop" label="Cancel" class="danger" disabled={busy.value} onClick={() => void cancel()} />}
      <CopyButton text={() => location.href} what="a link to this call" label="Copy link" />
      <Problem text={problem.value} />
      {shown.value === 'rerun' && <RerunDialog steps={steps} onRun={(step) => void rerun(step)} onClose={close} />}
      {shown.value === 'ask' && <CallAgainDialog call={call} onCall={(key) => void again(key)} onClose={close} />}
      {tool !== undefined && (shown.value === 'edit' || shown.value === 'break') && (
        <EditCallDialog
          call={call}
          tool={tool}
          breaks={shown.value === 'break'}
          onOutcome={(outcome) => {
            close();
            open(outcome);
          }}
          onClose={close}
        />
      )}
    </div>
  );
}

interface ActionProps {
  readonly icon: IconName;
  readonly label: string;
  readonly title?: string;
  readonly class?: string;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

function Action({ icon, label, ...button }: ActionProps): JSX.Element {
  return (
    <button type="button" {...button}>
      <Icon name={icon} size={14} />
      {label}
    </button>
  );
}

/** Shows the call that was just made. */
function open(outcome: Outcome): void {
  const id = recordedId(outcome);
  if (id !== undefined) goTo(toHash('calls', id, writeFilters(filters.value)));
}
