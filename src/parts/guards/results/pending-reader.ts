import type { StandardSchemaV1 } from '../../../core/contract/index.ts';
import { fail, type JsonObject, type Pending, pending, refuseOptions, toReply } from '../../../core/outcome/index.ts';
import { defineTool, type Store, type Tool } from '../../../core/runtime/index.ts';
import { assertStore } from '../store-access/assert-options.ts';
import { awaitPending } from '../store-access/await-pending.ts';
import { progressText } from '../store-access/call-progress.ts';
import { lostFailure } from '../store-access/pending-calls.ts';

/** What the tool made by {@link pendingReader} takes. */
interface WaitInput {
  readonly handle: string;
  readonly waitMs?: number;
}

/** The name of the tool with which models wait. */
export const waiterName = 'wait_for_result';

/** The stores whose pending calls a model can read. */
const readable = new WeakSet<Store>();

const usualWaitMs = 20_000;
/** Left of the deadline for the answer itself. */
const marginMs = 500;

/** Makes the tool with which models wait for the result of a pending call, of their own tenant. Answers `pending` again when the time is over. */
export function pendingReader(options: { readonly store: Store }): Tool<typeof waiterName, WaitInput, unknown, string, unknown> {
  refuseOptions<{ readonly store: Store }>('pendingReader', options, { store: true });
  assertStore('pendingReader', options);
  const { store } = options;
  readable.add(store);
  return defineTool({
    name: waiterName,
    description:
      'Waits for the result of a call that was answered as pending. Pass the handle from that answer. Gives the result, or pending again: then call it once more.',
    input: waitInput,
    jsonSchema: { input: waitSchema },
    effects: 'none',
    async run({ handle, waitMs = usualWaitMs }, ctx) {
      const timeoutMs = Math.min(waitMs, ctx.remainingMs - marginMs);
      const awaited = await awaitPending(store, { tenant: ctx.tenantId, handle, timeoutMs, signal: ctx.signal });
      switch (awaited.is) {
        case 'ended':
          return toReply(awaited.outcome) as never;
        case 'lost':
          throw lostFailure(awaited.call);
        case 'unknown':
          throw fail('not_found', `There is no pending call ${handle}, or it is forgotten.`);
        case 'unreadable':
          throw fail('not_ready', `The call ${handle} cannot be read now: ${awaited.why}.`);
        case 'waiting': {
          const { tool, pending: waiting } = awaited.call;
          return pending(waiting, { message: `${tool} ${stillWaiting(waiting, awaited.isApproved)}` }) as never;
        }
      }
    },
  }) as unknown as Tool<typeof waiterName, WaitInput, unknown, string, unknown>;
}

/** Says how the result of a deferred call is read: with the tool where there is one. */
export function howToRead(store: Store, handle: string): string {
  return readable.has(store)
    ? `Do not call it again: call ${waiterName} with the handle ${handle}.`
    : 'Ask for its result later instead of calling it again.';
}

/** Says what a call that is still pending waits for, how far it has come, and what to do. */
export function stillWaiting({ reason, progress }: Pending, isApproved: boolean): string {
  const [state, next] = isApproved ? approved : states[reason];
  return `${state}${progressText(progress)}. ${next}`;
}

const again = `Call ${waiterName} with the same handle again.`;
const states: Readonly<Record<Pending['reason'], readonly [state: string, next: string]>> = {
  approval: ['still waits for an approval', 'Tell the user; make the same call again once it is approved.'],
  input: ['still waits for an input', 'Tell the user.'],
  running: ['still runs', again],
  host: ['has not ended elsewhere yet', again],
};

const approved = ['is approved and has not run', 'Make the same call again: it runs then.'] as const;

const waitSchema: JsonObject = {
  type: 'object',
  properties: {
    handle: { type: 'string', description: 'The handle of the pending call.' },
    waitMs: { type: 'integer', minimum: 0, description: 'How long to wait for the result, in milliseconds.' },
  },
  required: ['handle'],
};

/** Written by hand: guards depend on no schema library. */
const waitInput: StandardSchemaV1<WaitInput, WaitInput> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate(value) {
      const { handle, waitMs } = (value ?? {}) as { readonly handle?: unknown; readonly waitMs?: unknown };
      const isTime = waitMs === undefined || (Number.isInteger(waitMs) && Number(waitMs) >= 0);
      const issues = [
        ...(typeof handle === 'string' && handle !== '' ? [] : [{ path: ['handle'], message: 'must be the handle of a pending call' }]),
        ...(isTime ? [] : [{ path: ['waitMs'], message: 'must be a whole number from 0' }]),
      ];
      return issues.length > 0
        ? { issues }
        : { value: { handle: String(handle), ...(waitMs !== undefined && { waitMs: Number(waitMs) }) } };
    },
  },
};
