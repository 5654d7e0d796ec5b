import type { StandardSchemaV1 } from '../../../core/contract/index.ts';
import { toReply } from '../../../core/outcome/index.ts';
import { defineTool, type GuardedTool } from '../../../core/runtime/index.ts';
import type { RestateIngress } from './restate-ingress.ts';
import { createRestateMethods } from './restate-methods.ts';

/** The name of the tool with which models wait; it is the same on every engine. */
export const waitToolName = 'wait_for_result';

interface WaitInput {
  readonly handle: string;
  readonly waitMs?: number;
}

const usualWaitMs = 20_000;
/** Left of the deadline for the answer itself. */
const marginMs = 500;

/** Makes the tool with which models wait for pending calls of their own tenant, where a tool can be pending. */
export function waitTools(ingress: RestateIngress, tools: readonly GuardedTool[]): readonly unknown[] {
  const canWait = tools.some(({ steps, approval, deferAfterMs }) => steps || (approval ?? false) !== false || deferAfterMs !== undefined);
  if (!canWait) return [];
  return [
    defineTool({
      name: waitToolName,
      description:
        'Waits for the result of a call that was answered as pending. Pass the handle from that answer. Gives the result, or pending again: then call it once more.',
      input: waitInput,
      jsonSchema: {
        input: {
          type: 'object',
          properties: {
            handle: { type: 'string', description: 'The handle of the pending call.' },
            waitMs: { type: 'integer', minimum: 0, description: 'How long to wait for the result, in milliseconds.' },
          },
          required: ['handle'],
        },
      },
      effects: 'none',
      async run({ handle, waitMs = usualWaitMs }, ctx) {
        const { wait } = createRestateMethods(ingress, { redact: (text) => text, emit: () => undefined }, ctx.tenantId);
        const timeoutMs = Math.max(0, Math.min(waitMs, ctx.remainingMs - marginMs));
        return toReply(await wait(handle, { timeoutMs, signal: ctx.signal })) as never;
      },
    }),
  ];
}

/** Written by hand: engines depend on no schema library. */
const waitInput: StandardSchemaV1<WaitInput, WaitInput> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate(value) {
      const { handle, waitMs } = (value ?? {}) as { readonly handle?: unknown; readonly waitMs?: unknown };
      if (typeof handle !== 'string' || handle === '')
        return { issues: [{ path: ['handle'], message: 'must be the handle of a pending call' }] };
      if (waitMs === undefined) return { value: { handle } };
      if (typeof waitMs !== 'number' || !(waitMs >= 0)) return { issues: [{ path: ['waitMs'], message: 'must be a number from 0' }] };
      return { value: { handle, waitMs } };
    },
  },
};
