import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

export interface Order {
  readonly invoice: string;
  readonly amount: number;
}

/** Where the programs of the page lie, and what they need. */
export interface Place {
  readonly folder: string;
  readonly postgres: string;
}

export interface Engine {
  /** Its programs on the page, besides the tool. */
  readonly files: readonly string[];
  readonly start: (place: Place) => Promise<Clerk>;
}

/** An engine that runs in this process. */
export interface Clerk {
  /** Resolves to a receipt, or to what the run was told. */
  readonly pay: (order: Order) => Promise<string>;
  /** The same in two parts, the second also in another process; absent where the engine's server is. */
  readonly durable?: {
    /** Resolves to the id of the run. */
    readonly begin: (order: Order) => Promise<string>;
    readonly end: (runId: string) => Promise<string>;
  };
}

export const engines: Readonly<Record<string, Engine>> = {
  'vercel-workflow': {
    files: ['workflows/pay.ts'],
    async start({ folder }) {
      // The compiler behind the builder keeps a cache where the process is.
      process.chdir(folder);
      const bundles = join(folder, '.well-known/workflow/v1');
      const { StandaloneBuilder } = await load<BuildersModule>('@workflow/builders');
      const options = { buildTarget: 'standalone', workingDir: folder, dirs: ['workflows'] };
      const [stepsBundlePath, workflowsBundlePath] = [join(bundles, 'step.cjs'), join(bundles, 'flow.cjs')];
      await new StandaloneBuilder({
        ...options,
        stepsBundlePath,
        workflowsBundlePath,
        webhookBundlePath: join(bundles, 'webhook.mjs'),
      }).build();

      const require = createRequire(import.meta.url);
      process.env.WORKFLOW_LOCAL_DATA_DIR = join(folder, 'workflow-data');
      process.env.PORT = String(await serve((path) => require(path.includes('/step') ? stepsBundlePath : workflowsBundlePath) as Route));
      const { start, getRun } = await load<WorkflowModule>('workflow/api');
      const { getWorld } = await load<WorkflowRuntime>('workflow/runtime');
      await (await getWorld()).start();
      const begin = async (order: Order) => (await start({ workflowId: 'workflow//./workflows/pay//payInvoice' }, [order])).runId;
      const end = (runId: string) => getRun(runId).returnValue.catch(({ message }: Error) => message);
      return { pay: async (order) => end(await begin(order)), durable: { begin, end } };
    },
  },

  // Without its server: what that does with the end of a step is done here.
  inngest: {
    files: ['inngest.ts'],
    async start({ folder }) {
      const { InngestTestEngine } = await load<InngestTestModule>('@inngest/test');
      const { payInvoice } = await load<{ readonly payInvoice: object }>(join(folder, 'inngest.ts'));
      const pay = async (order: Order): Promise<string> => {
        for (;;) {
          const engine = new InngestTestEngine({ function: payInvoice, events: [{ name: 'invoice/approved', data: order }] });
          const { result } = await engine.individualExecution();
          const { retriable, step } = result;
          if (step?.error === undefined) return String(step?.data);
          if (retriable === false) return step.error.message;
          await sleep(waitOf(retriable));
        }
      };
      return { pay };
    },
  },

  // Without its server: its mock runs the activity, and what the server does with a failure is done here.
  temporal: {
    files: ['activities.ts', 'workflows.ts'],
    async start({ folder }) {
      const { MockActivityEnvironment } = await load<TemporalTestModule>('@temporalio/testing');
      const { payInvoice } = await load<{ readonly payInvoice: (order: Order) => Promise<string> }>(join(folder, 'activities.ts'));
      const pay = async (order: Order): Promise<string> => {
        for (let attempt = 1; ; attempt += 1) {
          const ending = await new MockActivityEnvironment({ attempt }).run(payInvoice, order).catch((error: ActivityError) => error);
          if (typeof ending === 'string') return ending;
          if (ending.nonRetryable) return ending.message;
          await sleep(ending.nextRetryDelay);
        }
      };
      return { pay };
    },
  },

  dbos: {
    files: ['dbos.ts'],
    async start({ folder, postgres }) {
      const { payInvoice } = await load<{ readonly payInvoice: (order: Order) => Promise<string> }>(join(folder, 'dbos.ts'));
      const { DBOS } = await load<DbosModule>('@dbos-inc/dbos-sdk');
      DBOS.setConfig({ name: 'clerk', systemDatabaseUrl: postgres, logLevel: 'error', runAdminServer: false });
      await DBOS.launch();
      const begin = async (order: Order) => (await DBOS.startWorkflow(payInvoice)(order)).workflowID;
      return { pay: payInvoice, durable: { begin, end: (runId) => DBOS.retrieveWorkflow(runId).getResult() } };
    },
  },
};

interface BuildersModule {
  readonly StandaloneBuilder: new (options: object) => { readonly build: () => Promise<void> };
}

interface WorkflowModule {
  readonly start: (workflow: object, given: readonly unknown[]) => Promise<{ readonly runId: string }>;
  readonly getRun: (runId: string) => { readonly returnValue: Promise<string> };
}

interface WorkflowRuntime {
  readonly getWorld: () => Promise<{ readonly start: () => Promise<void> }>;
}

interface Route {
  readonly POST: (request: Request) => Promise<Response>;
}

interface InngestTestModule {
  readonly InngestTestEngine: new (
    options: object,
  ) => {
    readonly individualExecution: () => Promise<{
      readonly result: {
        readonly retriable?: boolean | string;
        readonly step?: { readonly data?: unknown; readonly error?: { readonly message: string } };
      };
    }>;
  };
}

interface ActivityError extends Error {
  readonly nonRetryable: boolean;
  readonly nextRetryDelay: number;
}

interface TemporalTestModule {
  readonly MockActivityEnvironment: new (
    info: object,
  ) => {
    readonly run: (activity: (order: Order) => Promise<string>, order: Order) => Promise<string>;
  };
}

interface DbosModule {
  readonly DBOS: {
    readonly setConfig: (config: object) => void;
    readonly launch: () => Promise<void>;
    readonly startWorkflow: (workflow: (order: Order) => Promise<string>) => (order: Order) => Promise<{ readonly workflowID: string }>;
    readonly retrieveWorkflow: (runId: string) => { readonly getResult: () => Promise<string> };
  };
}

/** Their packages are in proofs/kill alone, where the type checker does not look. */
async function load<TModule>(name: string): Promise<TModule> {
  return (await import(name.startsWith('/') ? pathToFileURL(name).href : name)) as TModule;
}

/** How long Inngest's server would wait: it is told seconds, or a moment. */
function waitOf(retriable: boolean | string | undefined): number {
  return typeof retriable === 'string' ? Math.max(0, Number(retriable) * 1000 || Date.parse(retriable) - Date.now()) : 0;
}

/** Serves the routes that a framework's plugin would add; gives the port. */
async function serve(routeOf: (path: string) => Route): Promise<number> {
  const server = createServer((request, response) => void respond(request, response));
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = `http://localhost${request.url}`;
    const body = Buffer.concat(await request.toArray());
    const asked = new Request(url, { method: 'POST', headers: request.headers as Record<string, string>, body });
    const answer = await routeOf(url).POST(asked);
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
