import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { Life } from './host.ts';
import { offerClerk } from './offer-clerk.ts';

/** An application of Vercel's Workflow SDK: a folder with `workflows/clerk.js`, and `packages.js`, which says where it finds the SDK. */
export interface WorkflowApp {
  readonly folder: string;
  /** The ending of what its builder writes. */
  readonly ending: 'cjs' | 'mjs';
  /** Which of them are served; version 5 has one for all. */
  readonly bundles: readonly ['flow'] | readonly ['flow', 'step'];
}

/** Version 5 of Workflow waits 860 s before it takes over the step of another process. */
const stepLeaseSeconds = 2;

interface Packages {
  readonly start: (workflow: object, given: readonly unknown[]) => Promise<{ readonly runId: string }>;
  readonly getRun: (id: string) => { readonly returnValue: Promise<string> };
  readonly resumeHook: (token: string, payload: object) => Promise<unknown>;
  readonly getHookByToken: (token: string) => Promise<unknown>;
  readonly getWorld: () => Promise<{ readonly start: () => Promise<void> }>;
  readonly loadBuilder: () => Promise<{ readonly StandaloneBuilder: new (options: object) => { readonly build: () => Promise<void> } }>;
}

interface Route {
  readonly POST: (request: Request) => Promise<Response>;
}

/** Builds the application where it was changed, serves it, and begins its run or takes it up. */
export async function runWorkflow(app: WorkflowApp, life: Life): Promise<string | undefined> {
  const { number, folder, port, asks, isApproved } = life;
  process.env.PORT = String(port);
  process.env.WORKFLOW_LOCAL_DATA_DIR = join(folder, 'workflow-data');
  process.env.WORKFLOW_INLINE_OWNERSHIP_LEASE_SECONDS = String(stepLeaseSeconds);
  const { start, getRun, resumeHook, getHookByToken, getWorld, loadBuilder } = await load<Packages>(join(app.folder, 'packages.js'));
  if (isStale(app)) await build(app, loadBuilder);
  const { promise: idIsKept, resolve: keepId } = Promise.withResolvers<void>();
  const isAsked = offerClerk(life, idIsKept);
  await serve(app, port);

  await (await getWorld()).start();
  const file = join(folder, 'run-id');
  if (number === 1) {
    const { runId } = await start({ workflowId: 'workflow//./workflows/clerk//answerQuestion' }, [asks]);
    writeFileSync(file, runId);
  }
  keepId();
  if (asks && !isApproved) {
    await isAsked;
    await untilDone(() => getHookByToken('approval'));
    return undefined;
  }
  // The person answers once. A process that takes up the run may have to ask again before there is somebody to hear the answer.
  const answered = join(folder, 'answered');
  if (asks && !existsSync(answered)) {
    void untilDone(() => resumeHook('approval', { approved: true })).then(() => writeFileSync(answered, ''));
  }
  return getRun(readFileSync(file, 'utf8')).returnValue;
}

function bundleOf({ folder, ending }: WorkflowApp, name: string): string {
  return join(folder, `.well-known/workflow/v1/${name}.${ending}`);
}

function isStale(app: WorkflowApp): boolean {
  const built = bundleOf(app, 'flow');
  return !existsSync(built) || statSync(built).mtimeMs < statSync(join(app.folder, 'workflows/clerk.js')).mtimeMs;
}

/** Builds it as the command `workflow build` does. */
async function build(app: WorkflowApp, loadBuilder: Packages['loadBuilder']): Promise<void> {
  const { StandaloneBuilder } = await loadBuilder();
  await new StandaloneBuilder({
    buildTarget: 'standalone',
    workingDir: app.folder,
    dirs: ['workflows'],
    stepsBundlePath: bundleOf(app, 'step'),
    workflowsBundlePath: bundleOf(app, 'flow'),
    webhookBundlePath: join(app.folder, '.well-known/workflow/v1/webhook.mjs'),
  }).build();
}

/** Serves the routes that a framework's plugin would add. */
async function serve(app: WorkflowApp, port: number): Promise<void> {
  // Before anything is asked of it: they are large.
  const [flow, step = flow] = await Promise.all(app.bundles.map((name) => load<Route>(bundleOf(app, name))));
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = `http://localhost:${port}${request.url}`;
    const body = Buffer.concat(await request.toArray());
    const route = url.includes('/step') ? step : flow;
    const answer = await (route as Route).POST(
      new Request(url, { method: 'POST', headers: request.headers as Record<string, string>, body }),
    );
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  };
  await new Promise<void>((resolve) => createServer((request, response) => void respond(request, response)).listen(port, resolve));
}

/** Tries again until it does not fail. */
async function untilDone(attempt: () => Promise<unknown>): Promise<void> {
  for (;;) {
    const isDone = await attempt().then(
      () => true,
      () => false,
    );
    if (isDone) return;
    await sleep(100);
  }
}

/** Its packages are in proofs/kill alone, where the type checker does not look. A module of CommonJS is its own default. */
async function load<TModule>(file: string): Promise<TModule> {
  const module = (await import(pathToFileURL(file).href)) as TModule & { readonly default?: TModule };
  return file.endsWith('.cjs') ? (module.default ?? module) : module;
}
