import { type Outcome, ToolpactError } from 'toolpact';
import { defineGuard, type Guard, type GuardedCall, type GuardedToolbox, noTenant, withSupply } from 'toolpact/extend';
import { expectArgument, isRecord, refuseOptions, waitForResult } from 'toolpact/internal';
import { restateGuard } from './call-request.ts';
import { workerScope } from './call-workflow.ts';
import type { RestateEngine } from './restate-engine.ts';
import { createRestateIngress } from './restate-ingress.ts';
import { createRestateMethods, type RestateMethods } from './restate-methods.ts';
import { runOnWorker } from './run-on-worker.ts';
import { createSendCall } from './send-call.ts';
import { waitTools } from './wait-tool.ts';

/** Where calls are sent. */
export interface OnRestateOptions {
  /** The address of the HTTP ingress; of several nodes, all of theirs. */
  readonly ingress: string | readonly string[];
  /** What Restate calls these tools. Calls and workers that belong together have the same name. @default 'toolpact' */
  readonly service?: string;
  /** Headers for the ingress, such as a credential. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long a call that needs an approval waits for it. @default 3_600_000 */
  readonly approvalMs?: number;
  /** @default the platform's own */
  readonly fetch?: typeof globalThis.fetch;
}

/**
 * Sends calls to Restate, whose workers run them: durable, and once per key. Guards of the phases before it run here, those after it where the
 * tool runs. A worker has this guard too (see `restateEndpoint`), where it lets the calls through that Restate sends.
 */
export function onRestate(options: OnRestateOptions): Guard<RestateMethods> {
  refuseOptions<OnRestateOptions>('onRestate', options, { ingress: true, service: true, headers: true, approvalMs: true, fetch: true });
  expectArgument(isRecord(options), 'onRestate takes an object with `ingress`, the address of Restate, such as http://127.0.0.1:8080');
  const { service = 'toolpact', headers = {}, approvalMs = 3_600_000, fetch = globalThis.fetch } = options;
  const urls = [options.ingress].flat();
  if (urls.length === 0 || !urls.every((url) => URL.canParse(url)))
    throw new ToolpactError('invalid_option', 'onRestate needs `ingress`, the address of Restate, such as http://127.0.0.1:8080', {
      option: 'ingress',
    });
  const ingress = createRestateIngress({ urls, headers, service, fetch });
  const engine: RestateEngine = { name: 'restate', service, ingress };
  const send = createSendCall(ingress, approvalMs);
  return defineGuard({
    ...restateGuard,
    once: true,
    provides: ['idempotency', 'reconcile', 'approval', 'deferAfterMs'],
    around(call: GuardedCall, next: () => Promise<Outcome>) {
      // It asks Restate itself.
      if (call.tool.name === waitForResult.name) return next();
      const scope = workerScope.getStore();
      return scope?.invocationId === call.invocationId ? runOnWorker(call, next, scope) : send(call);
    },
    tools: (given) => waitTools(ingress, given),
    methods: (toolbox: GuardedToolbox): RestateMethods =>
      withSupply(createRestateMethods(ingress, toolbox, toolbox.context.tenantId ?? noTenant), { engine }),
  });
}
