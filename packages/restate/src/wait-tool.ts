import { defineTool } from 'toolpact';
import type { GuardedTool } from 'toolpact/extend';
import { toReply, toWaitMs, waitForResult } from 'toolpact/internal';
import type { RestateIngress } from './restate-ingress.ts';
import { createRestateMethods } from './restate-methods.ts';

/** Makes the tool with which models wait for pending calls of their own tenant, where a tool can be pending. */
export function waitTools(ingress: RestateIngress, tools: readonly GuardedTool[]): readonly unknown[] {
  const canWait = tools.some(({ steps, approval, deferAfterMs }) => steps || (approval ?? false) !== false || deferAfterMs !== undefined);
  if (!canWait) return [];
  return [
    defineTool({
      ...waitForResult,
      async run(input, ctx) {
        const { wait } = createRestateMethods(ingress, { redact: (text) => text, emit: () => undefined }, ctx.tenantId);
        const timeoutMs = toWaitMs(input, ctx.remainingMs);
        return toReply(await wait(input.handle, { timeoutMs, signal: ctx.signal }));
      },
    }),
  ];
}
