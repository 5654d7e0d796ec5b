import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { toModelText } from 'toolpact';
import type { KillHost, Life, Order } from '../host.ts';

const app = fileURLToPath(new URL('../workflow-app/', import.meta.url));
const bundles = join(app, '.well-known/workflow/v1');

/** A loop as a workflow of Vercel's Workflow SDK: each question to the model and each tool is a `'use step'`. */
export const host: KillHost = {
  title: 'Vercel Workflow, local world',
  mode: "A `'use workflow'` function whose model calls and tools are `'use step'`, built by its standalone builder; the local world's `start` takes up active runs again.",
  documentation: 'https://useworkflow.dev/docs/foundations/idempotency',
  packages: ['workflow', '@workflow/world-local'],
  key: '`getStepMetadata().stepId`, as its page on idempotency says',
  asks: true,
  async run(life) {
    const { number, folder, port, asks, isApproved } = life;
    process.env.PORT = String(port);
    process.env.WORKFLOW_LOCAL_DATA_DIR = join(folder, 'workflow-data');
    if (isStale()) await build();
    const isAsked = offerToSteps(life);
    await serve(port);

    const { start, getRun, resumeHook, getHookByToken } = await installed<WorkflowApi>('workflow/api');
    const { getWorld } = await installed<WorkflowRuntime>('workflow/runtime');
    await (await getWorld()).start();
    const file = join(folder, 'run-id');
    if (number === 1) {
      const { runId } = await start({ workflowId: 'workflow//./workflows/clerk//answerQuestion' }, [asks]);
      writeFileSync(file, runId);
    }
    if (asks && !isApproved) {
      await isAsked;
      await untilDone(() => getHookByToken('approval'));
      return undefined;
    }
    // A process that takes up the run may have to ask again before there is somebody to hear the answer.
    if (asks) void untilDone(() => resumeHook('approval', { approved: true }));
    return getRun(readFileSync(file, 'utf8')).returnValue;
  },
};

interface WorkflowApi {
  readonly start: (workflow: object, given: readonly unknown[]) => Promise<{ readonly runId: string }>;
  readonly getRun: (id: string) => { readonly returnValue: Promise<string> };
  readonly resumeHook: (token: string, payload: object) => Promise<unknown>;
  readonly getHookByToken: (token: string) => Promise<unknown>;
}

interface WorkflowRuntime {
  readonly getWorld: () => Promise<{ readonly start: () => Promise<void> }>;
}

interface Route {
  readonly POST: (request: Request) => Promise<Response>;
}

/** Gives the steps of workflow-app what they call; resolves once they have asked a person. */
function offerToSteps({ variant, tools, openToolbox, model, approvalAsked }: Life): Promise<void> {
  const toolbox = variant === 'toolpact' ? openToolbox() : undefined;
  const asked = Promise.withResolvers<void>();
  const clerk = {
    next: (results: readonly string[]) => model.next(results),
    async call(name: string, args: Order, callId: string, stepId: string): Promise<string> {
      if (toolbox !== undefined) return toModelText(await toolbox.answer({ name, args, callId }));
      return (await tools.find((one) => one.name === name)?.run(args, variant === 'key' ? stepId : undefined)) ?? '';
    },
    async ask(): Promise<void> {
      await approvalAsked();
      asked.resolve();
    },
  };
  Object.assign(globalThis, { clerk });
  return asked.promise;
}

function isStale(): boolean {
  const built = join(bundles, 'flow.cjs');
  return !existsSync(built) || statSync(built).mtimeMs < statSync(join(app, 'workflows/clerk.js')).mtimeMs;
}

/** Builds workflow-app as the command `workflow build` does. */
async function build(): Promise<void> {
  const { StandaloneBuilder } = await installed<{ StandaloneBuilder: new (options: object) => { build: () => Promise<void> } }>(
    '@workflow/builders',
  );
  await new StandaloneBuilder({
    buildTarget: 'standalone',
    workingDir: app,
    dirs: ['workflows'],
    stepsBundlePath: join(bundles, 'step.cjs'),
    workflowsBundlePath: join(bundles, 'flow.cjs'),
    webhookBundlePath: join(bundles, 'webhook.mjs'),
  }).build();
}

/** Serves the two routes that a framework's plugin would add. */
async function serve(port: number): Promise<void> {
  const load = createRequire(import.meta.url);
  const [step, flow] = ['step.cjs', 'flow.cjs'].map((file) => load(join(bundles, file)) as Route) as [Route, Route];
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = `http://localhost:${port}${request.url}`;
    const body = Buffer.concat(await request.toArray());
    const route = url.includes('/step') ? step : flow;
    const answer = await route.POST(new Request(url, { method: 'POST', headers: request.headers as Record<string, string>, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  };
  await new Promise<void>((resolve) => createServer((request, response) => void respond(request, response)).listen(port, resolve));
}

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

/** Its packages are in proofs/kill alone, where the type checker does not look. */
async function installed<TModule>(name: string): Promise<TModule> {
  return (await import(name)) as TModule;
}
