import type { JSX } from 'preact';
import { now } from '../state/now.ts';
import { route, toHash } from '../state/route.ts';
import { Empty } from '../ui/empty.tsx';
import { StatusMark } from '../ui/status-mark.tsx';
import { showHidden } from '../words/show-hidden.ts';
import { toAge, toDuration } from '../words/to-duration.ts';
import { RunView } from './run-view.tsx';
import { type Run, summarizeRun, toRuns } from './to-runs.ts';
import { useCalls } from './use-calls.ts';

/** The runs of agents, or one of them as a conversation. */
export function RunsPage(): JSX.Element {
  const runId = route.value.rest;
  return runId === '' ? <RunList /> : <RunView key={runId} runId={runId} />;
}

function RunList(): JSX.Element {
  const { value, error, readOlder } = useCalls('', ({ runId }) => runId !== undefined);
  const runs = toRuns(value ?? []);
  return (
    <div class="page">
      <h1>Runs</h1>
      {runs.length > 0 && (
        <>
          <p class="page-note">
            {readOlder ? `The runs of the newest ${value?.length.toLocaleString('en')} calls.` : 'Calls, grouped by agent run.'}
          </p>
          <ul class="runs">
            {runs.map((run) => (
              <RunLine key={run.runId} run={run} />
            ))}
          </ul>
        </>
      )}
      {readOlder && (
        <button type="button" class="runs-older" onClick={readOlder}>
          Show older runs
        </button>
      )}
      {error && error.status !== 0 && (
        <Empty icon="error" title="Could not load the runs">
          <p>{error.status === 501 ? 'This server does not record calls. Give the toolbox a store to record them.' : error.message}</p>
        </Empty>
      )}
      {value !== undefined && readOlder === undefined && runs.length === 0 && (
        <Empty icon="runs" title="No runs yet">
          <p>Send a run id with each call, and the calls of a run appear here as one conversation:</p>
          <p>
            over HTTP: <code>x-run-id: run_42</code>
            <br />
            in code: <code>{"toolbox.call('search', args, { runId: 'run_42' })"}</code>
          </p>
        </Empty>
      )}
    </div>
  );
}

function RunLine({ run }: { readonly run: Run }): JSX.Element {
  const status = run.running > 0 ? 'running' : run.failed > 0 ? 'error' : run.waiting > 0 ? 'pending' : 'ok';
  return (
    <li>
      <a class="run-line" href={toHash('runs', run.runId)}>
        <StatusMark status={status} />
        <span class="row-tool">{showHidden(run.runId)}</span>
        <span class="run-sum">{summarizeRun(run)}</span>
        <span class="run-tools">{showHidden([run.who, run.tools.join(' → ')].filter(Boolean).join(': '))}</span>
        <span class="row-took">{toDuration(run.tookMs)}</span>
        <time class="row-age" dateTime={run.lastAt}>
          {toAge(now.value - Date.parse(run.lastAt))}
        </time>
      </a>
    </li>
  );
}
