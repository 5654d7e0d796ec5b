import { type Outcome, ToolpactError } from 'toolpact';
import { defineGuard, type Guard, type GuardedCall } from 'toolpact/extend';
import { expectArgument, isRecord, refuseOptions, settleLost, waitForResult } from 'toolpact/internal';
import { restateGuard } from './call-request.ts';
import { type WorkerScope, workerScope } from './call-workflow.ts';
import type { RestateEngine } from './restate-engine.ts';
import { createRestateIngress } from './restate-ingress.ts';
import { createSendCall } from './send-call.ts';

/** Where calls are sent. */
export interface OnRestateOptions {
  /** The address of the HTTP ingress; of several nodes, all of theirs. */
  readonly ingress: string | readonly string[];
  /** The name of the Restate service. Callers and workers that belong together share it. @default 'toolpact' */
  readonly service?: string;
  /** Headers for the ingress, such as a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** @default the platform's own */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Sends calls to Restate, whose workers run them. The toolbox needs a store, which lists these calls and holds their keys, their questions and
 * their ends; Restate keeps their steps and their sleeps. Guards of the phases before it run here, those after it where the tool runs. A worker
 * has this guard too (see `restateEndpoint`), where it lets the calls through that Restate sends.
 */
export function onRestate(options: OnRestateOptions): Guard {
  refuseOptions<OnRestateOptions>('onRestate', options, { ingress: true, service: true, headers: true, fetch: true });
  expectArgument(isRecord(options), 'onRestate takes an object with `ingress`, the address of Restate, such as http://127.0.0.1:8080');
  const { service = 'toolpact', headers = {}, fetch = globalThis.fetch } = options;
  const urls = [options.ingress].flat();
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url)))
    throw new ToolpactError('invalid_option', 'onRestate needs `ingress`, the address of Restate, such as http://127.0.0.1:8080', {
      option: 'ingress',
    });
  const ingress = createRestateIngress({ urls, headers, service, fetch });
  const engine: RestateEngine = { name: 'restate', service, ingress };
  const send = createSendCall(ingress);
  return defineGuard({
    ...restateGuard,
    once: true,
    engine,
    around(call: GuardedCall, next: () => Promise<Outcome>) {
      // It asks the store.
      if (call.tool.name === waitForResult.name) return next();
      const scope = workerScope.getStore();
      return scope?.invocationId === call.invocationId ? runOnWorker(call, next, scope) : send(call);
    },
  });
}

/** Lets a call run that Restate sent, unless it ran before with an unknown end. */
async function runOnWorker(call: GuardedCall, next: () => Promise<Outcome>, { memory, isLost, key }: WorkerScope): Promise<Outcome> {
  call.remember(memory);
  if (key !== undefined) call.useKey(key);
  if (isLost && call.tool.effects === 'writes') call.markMayHaveEffect();
  const lost = isLost ? await settleLost(call) : undefined;
  return lost?.outcome ?? next();
}
