import { type InferInput, toWaitMs, waitForResult } from '../../contract/index.ts';
import { fail, type Pending, type PendingOutcome, pending, toReply } from '../../outcome/index.ts';
import type { Store } from '../../ports/index.ts';
import { defineTool, type Tool } from '../../runtime/index.ts';
import { progressText } from '../run/keep-progress.ts';
import { awaitCall } from './await-call.ts';

/** The stores whose pending calls a model can read. */
const readable = new WeakSet<Store>();

/** Makes the tool with which models wait for the result of a pending call, of their own tenant. Answers `pending` again when the time is over. */
export function resultWaiter(
  store: Store,
): Tool<typeof waitForResult.name, InferInput<typeof waitForResult.input>, unknown, string, unknown> {
  readable.add(store);
  return defineTool({
    ...waitForResult,
    async run(input, ctx) {
      const { handle } = input;
      const timeoutMs = toWaitMs(input, ctx.remainingMs);
      const awaited = await awaitCall(store, { tenant: ctx.tenantId, handle, timeoutMs, signal: ctx.signal });
      switch (awaited.is) {
        case 'ended':
          return toReply(awaited.outcome) as never;
        case 'lost':
          throw fail('interrupted', `The process that ran ${awaited.call.tool} died, and it is not known how far it got.`, {
            effect: 'unknown',
          });
        case 'unknown':
          throw fail('not_found', `There is no pending call ${handle}, or it is no longer stored.`);
        case 'unreadable':
          throw fail('not_ready', `The call ${handle} cannot be read now: ${awaited.why}.`);
        case 'waiting': {
          const { call, pending: waiting, isApproved } = awaited;
          return pending(waiting, { message: `${call.tool} ${stillWaiting(waiting, isApproved)}` }) as never;
        }
      }
    },
  }) as unknown as Tool<typeof waitForResult.name, InferInput<typeof waitForResult.input>, unknown, string, unknown>;
}

/** Says how the result of a deferred call is read: with the tool where there is one. Its handle stands behind every pending text. */
export function howToRead(store: Store): string {
  return readable.has(store)
    ? `Do not call it again: call ${waitForResult.name} with its handle.`
    : 'Ask for its result later instead of calling it again.';
}

/** Adds to what a caller reads of a call that waits in the middle of its tool what to do next. */
export function withNextStep(store: Store, tool: string, outcome: PendingOutcome): PendingOutcome {
  const { pending: waiting, message = waiting.ask?.message ?? `${tool} continues elsewhere.` } = outcome;
  const read = howToRead(store);
  const next = waiting.reason === 'input' ? `Tell the user. ${read}` : read;
  return Object.freeze({ ...outcome, message: `${message} ${next}` });
}

/** Says what a call that is still pending waits for, how far it has come, and what to do. */
export function stillWaiting({ reason, progress }: Pending, isApproved: boolean): string {
  const [state, next] = isApproved ? approved : states[reason];
  return `${state}${progressText(progress)}. ${next}`;
}

const again = `Call ${waitForResult.name} with the same handle again.`;
const states: Readonly<Record<Pending['reason'], readonly [state: string, next: string]>> = {
  approval: ['is still waiting for approval', 'Tell the user; make the same call again once it is approved.'],
  input: ['is still waiting for input', 'Tell the user.'],
  running: ['is still running', again],
  host: ['is still running elsewhere', again],
};

const approved = ['is approved and has not run', 'Make the same call again to run it.'] as const;
