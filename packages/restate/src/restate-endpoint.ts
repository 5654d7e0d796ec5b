import { type AnyTool, type CallContext, type Toolbox, ToolpactError } from 'toolpact';
import { behindGuard, refuseOptions, startWorker, toLogRecord } from 'toolpact/internal';
import { restateGuard } from './call-request.ts';
import { createCallHandlers, type WorkerCall } from './call-workflow.ts';
import { createDrain, type DrainedRequest, type DrainedResponse } from './drain.ts';
import { findRestateEngine } from './restate-engine.ts';
import { loadRestateSdk, type NodeHandler } from './restate-sdk.ts';

/** How a worker of Restate behaves. */
export interface RestateEndpointOptions {
  /** Supplies what does not travel with a call: `auth` and `app`. @default nothing */
  readonly context?: (call: WorkerCall) => CallContext | Promise<CallContext>;
  /** The public keys of the servers whose requests are answered, as these print them at start. Needed for everything but a private network. */
  readonly identityKeys?: readonly string[];
  /** The name of the Restate service. Callers and workers that belong together share it. @default 'toolpact' */
  readonly service?: string;
  /** How long Restate remembers a call and its outcome after it ended: its keys, too. @default 86_400_000 */
  readonly retentionMs?: number;
  /** How long the worker of a step that writes counts as alive after its connection broke, without a sign of life. @default 3_000 */
  readonly leaseMs?: number;
  /** Receives what the SDK logs. @default only errors, to the console */
  readonly log?: (level: string, ...words: readonly unknown[]) => void;
}

/** How long a step may be silent before Restate gives its connection up and tries elsewhere. */
const maxSilenceMs = 600_000;

/** The handler of a worker. */
export interface RestateWorker extends NodeHandler {
  /** Takes no more calls from Restate, which gives them to other workers, and resolves when those that run here have ended or wait. */
  readonly drain: () => Promise<void>;
}

/** A toolbox that has `onRestate` in its guards. */
export type RestateToolbox = Pick<Toolbox<readonly AnyTool[]>, 'answer'>;

/**
 * Creates the handler through which Restate runs the tools of a toolbox: for `http2.createServer`, for an HTTP/1.1 server, or for some paths of one. The
 * toolbox needs the guard `onRestate`; the guards after it stand around each run. Register the address with Restate.
 */
export function restateEndpoint(toolbox: RestateToolbox, options: RestateEndpointOptions = {}): RestateWorker {
  refuseOptions<RestateEndpointOptions>('restateEndpoint', options, {
    context: true,
    identityKeys: true,
    service: true,
    retentionMs: true,
    leaseMs: true,
    log: true,
  });
  const engine = findRestateEngine(toolbox);
  if (engine === undefined) throw new ToolpactError('missing_guard', 'restateEndpoint needs a toolbox with the guard `onRestate`');
  const {
    context = () => ({}),
    identityKeys,
    service = engine.service,
    retentionMs = 86_400_000,
    leaseMs = 3_000,
    log = logErrors,
  } = options;
  const drain = createDrain();
  // Calls whose callers are gone, and those that slept or were answered, are followed to their ends here.
  const follower = startWorker(toolbox, { context: ({ tool, ...facts }) => context({ tool, context: facts as CallContext }) }, false, true);
  let nodeHandler: Promise<NodeHandler> | undefined;
  const make = async (): Promise<NodeHandler> => {
    const sdk = await loadRestateSdk();
    // The guards before have let the call pass where it was made.
    const handlers = createCallHandlers(sdk, {
      toolbox: behindGuard(toolbox, restateGuard),
      context,
      ingress: engine.ingress,
      leaseMs,
      track: drain.track,
    });
    return sdk.createEndpointHandler({
      services: [
        sdk.workflow({
          name: service,
          handlers,
          options: {
            workflowRetention: retentionMs,
            journalRetention: retentionMs,
            abortTimeout: maxSilenceMs,
            // Only crashes and lost connections are tried again here, quickly at first: what a tool answers is a result, whatever it is.
            retryPolicy: { initialInterval: 50, exponentiationFactor: 2, maxInterval: 10_000, maxAttempts: 10_000, onMaxAttempts: 'pause' },
            // A tool that has changed since its call began does not get better by trying again. Servers know this since protocol 7.
            onJournalMismatchErrors: 'fail',
          },
        }),
      ],
      // A step that writes is not repeated by another connection, so all steps of a run must share one.
      bidirectional: true,
      ...(identityKeys !== undefined && { identityKeys: [...identityKeys] }),
      logger: ({ level }: { readonly level: string }, ...words: readonly unknown[]) => log(level, ...words),
    });
  };
  const handle = (request: DrainedRequest, response: DrainedResponse): void => {
    if (!drain.enter(request, response)) {
      refuse(response, 503, 'This worker takes no more calls.');
      return;
    }
    nodeHandler ??= make();
    nodeHandler.then(
      (handler) => handler(request as never, response as never),
      (problem: Error) => {
        console.error(toLogWord(problem));
        refuse(response, 500, 'This worker cannot run.');
      },
    );
  };
  const drainAll = async (): Promise<void> => void (await Promise.all([follower.stop(), drain.drain()]));
  return Object.assign(handle, { drain: drainAll }) as RestateWorker;
}

function refuse(response: DrainedResponse, status: number, text: string): void {
  response.statusCode = status;
  response.end(text);
}

function logErrors(level: string, ...words: readonly unknown[]): void {
  if (level === 'error') console.error(...words.map(toLogWord));
}

/** Errors and texts of others are one record each; what is neither, the console writes without line breaks of its own. */
function toLogWord(word: unknown): unknown {
  const text = word instanceof Error ? (word.stack ?? word.message) : word;
  return typeof text === 'string' ? toLogRecord(text) : text;
}
