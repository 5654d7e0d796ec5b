import { AsyncLocalStorage } from 'node:async_hooks';
import type { CallContext, Outcome, Toolbox } from 'toolpact';
import { insideOf } from 'toolpact/extend';
import type { CallRequest, CallResult, CallState, WaitingState } from './call-request.ts';
import { createHandOver, peekPromises } from './hand-over.ts';
import { createPromisePump } from './promise-pump.ts';
import type { RestateIngress } from './restate-ingress.ts';
import { createRestateMemory, type RestateMemory } from './restate-memory.ts';
import type { RestateSdk, WorkflowContext } from './restate-sdk.ts';
import { stepFlightsOf } from './step-flights.ts';
import { readWorkflowKey } from './workflow-key.ts';

/** Facts about a call that a worker gets before it runs it. */
export interface WorkerCall {
  readonly tool: string;
  readonly context: CallContext;
}

/** The call's memory and its earlier records, for the guard on the worker's side. */
export interface WorkerScope {
  readonly invocationId: string;
  readonly memory: RestateMemory;
  /** Whether the call ran before and it is not known whether it took effect. */
  readonly isLost: boolean;
  readonly key: string | undefined;
}

/** Tells the guard which call Restate has sent. A call that a tool makes meanwhile has another id. */
export const workerScope = new AsyncLocalStorage<WorkerScope>();

/** How a worker runs calls. */
export interface CallWorkflowOptions {
  readonly toolbox: Pick<Toolbox, 'answer'>;
  readonly ingress: RestateIngress;
  readonly leaseMs: number;
  /** Supplies what does not travel: credentials and whatever the application gives its tools. */
  readonly context: (call: WorkerCall) => CallContext | Promise<CallContext>;
  /** Keeps the worker from ending before this has. */
  readonly track: (work: Promise<unknown>) => void;
}

/** Creates the handlers of the workflow that one call is: `run` makes the call, the others look at it, answer it and stop it. */
export function createCallHandlers(sdk: RestateSdk, options: CallWorkflowOptions) {
  return {
    run: (ctx: WorkflowContext, request: CallRequest): Promise<CallResult> => runCall(sdk, options, ctx, request),
    look: async (ctx: WorkflowContext): Promise<CallState | null> => {
      const state = (await ctx.get('call')) as CallState | null;
      const waiting = (await ctx.get('waiting')) as WaitingState | null;
      return state && { ...state, ...(waiting && { waiting }) };
    },
    settle: async (ctx: WorkflowContext, { name, answer }: { readonly name: string; readonly answer?: unknown }): Promise<void> => {
      await ctx.promise(name).resolve(answer ?? null);
    },
    peek: peekPromises,
    stop: async (ctx: WorkflowContext): Promise<boolean> => {
      const state = (await ctx.get('call')) as CallState | null;
      if (state !== null) ctx.cancel(state.restateId);
      return state !== null;
    },
  };
}

async function runCall(sdk: RestateSdk, options: CallWorkflowOptions, ctx: WorkflowContext, request: CallRequest): Promise<CallResult> {
  const { id, attemptCompletedSignal } = ctx.request();
  const { tool, context, key } = request;
  const { invocationId = id } = context;
  const { tenant, id: handle } = readWorkflowKey(ctx.key);
  const stop = new AbortController();
  const pump = createPromisePump(sdk, () => stop.abort(new DOMException('The call was cancelled.', 'AbortError')));
  const flights = stepFlightsOf(id, options.track);
  const handOver = createHandOver({ ...options, tenant, handle });
  let isGivenUp = false;
  attemptCompletedSignal.addEventListener(
    'abort',
    () => {
      // Restate has given this attempt up, or it has ended. It must not begin anything more; what it has begun may still end.
      isGivenUp = true;
      flights.giveAway(handOver);
      void flights.idle().then(() => stop.abort());
    },
    { once: true },
  );
  ctx.set('call', { v: 1, restateId: id } satisfies CallState);
  const memory = createRestateMemory({ ctx, pump, flights, handOver, isGivenUp: () => isGivenUp, request, handle, signal: stop.signal });

  const plan = insideOf(options.toolbox).plans.get(tool);
  let usedMs = 0;
  const run = async (isLost: boolean): Promise<Outcome> => {
    const startedAt = performance.now();
    // The clock stands still while the call sleeps or waits.
    const timeoutMs = Math.max(1, (context.timeoutMs ?? Number.POSITIVE_INFINITY) - usedMs);
    const scope: WorkerScope = { invocationId, memory, isLost, key };
    // A call that was cancelled while it waited runs once more up to there: its steps say what it has done.
    const signal = stop.signal.aborted && plan?.steps === true ? {} : { signal: stop.signal };
    // Whether `app` is what the tools ask for is between the application and its tools.
    const workerContext = { ...context, timeoutMs, ...(await options.context({ tool, context })), ...signal } as CallContext<never>;
    const answer = () => options.toolbox.answer({ name: tool, args: request.args }, workerContext);
    const { input: _, ...outcome } = await workerScope.run(scope, answer);
    usedMs += performance.now() - startedAt;
    return outcome as Outcome;
  };
  for (;;) {
    const outcome = await (plan?.steps === true ? Promise.race([run(false), memory.left]) : memory.runWhole(plan?.effects ?? 'none', run));
    const waiting = memory.endRun();
    if (outcome.status !== 'pending' || waiting === undefined) {
      if (plan?.steps === true) await memory.leaveBehind(outcome);
      flights.end();
      const kept = outcome.status === 'error' ? memory.kept() : {};
      const result: CallResult = { v: 1, outcome, ...(Object.keys(kept).length > 0 && { kept }) };
      // A replay that takes another time, or finds another warning, must return the same: Restate compares it, and would try for ever.
      return plan?.steps === true ? pump.waitForRun(ctx.run('end', async () => result)) : result;
    }
    const { over, ...state } = waiting;
    ctx.set('waiting', { pending: outcome.pending, ...state } satisfies WaitingState);
    // State that is set here is sent with the next request.
    await ctx.get('call');
    await Promise.race([over, aborted(stop.signal)]);
    ctx.clear('waiting');
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
