import type { Approval, ApprovalPageRequest } from 'toolpact/guards';
import { withoutAbsent } from 'toolpact/internal';
import type { Decision } from './call-request.ts';
import type { RestateSdk, WorkflowContext } from './restate-sdk.ts';

/** What a handler of an object is given. */
interface ObjectContext extends Pick<WorkflowContext, 'key' | 'set' | 'get' | 'clear' | 'genericSend'> {
  readonly stateKeys: () => Promise<readonly string[]>;
}

/** A request that begins to wait, or one that does so no longer. */
interface Note extends Pick<Approval, 'handle' | 'requestedAt'> {
  readonly approval?: Approval;
}

/** Names the service that lists what waits for a decision: one object for each tenant. */
export function approvalsService(service: string): string {
  return `${service}_approvals`;
}

/** Makes the object of Restate that knows which calls of a tenant wait for a decision. Workflows know only of themselves. */
export function createApprovalsObject(sdk: RestateSdk, service: string): unknown {
  const name = approvalsService(service);
  return sdk.object({
    name,
    handlers: {
      note: async (ctx: ObjectContext, note: Note): Promise<void> => {
        const at = keyOf(note);
        if (note.approval === undefined) return ctx.clear(at);
        ctx.set(at, note.approval);
        // Take it off the list when it expires, whether or not its call has ended by then.
        const { handle, requestedAt, expiresAt } = note.approval;
        sendNote(ctx, service, ctx.key, { handle, requestedAt }, expiresAt - requestedAt);
      },
      list: sdk.handlers.object.shared(async (ctx: ObjectContext, { limit, after }: ApprovalPageRequest): Promise<readonly Approval[]> => {
        const keys = [...(await ctx.stateKeys())].sort();
        // The last one of the page before may be gone; then the list starts from its beginning.
        const from = after === undefined ? 0 : keys.findIndex((key) => key.endsWith(`/${after}`)) + 1;
        const found: Approval[] = [];
        for (const key of keys.slice(from, limit === undefined ? undefined : from + limit)) {
          const approval = (await ctx.get(key)) as Approval | null;
          if (approval !== null) found.push(approval);
        }
        return found;
      }),
    },
  });
}

/** Lets the object of a tenant know that a request begins to wait, or does so no longer. */
export function sendNote(ctx: Pick<WorkflowContext, 'genericSend'>, service: string, tenant: string, note: Note, delay?: number): void {
  const parameter = new TextEncoder().encode(JSON.stringify(note));
  ctx.genericSend({ service: approvalsService(service), method: 'note', key: tenant, parameter, ...(delay !== undefined && { delay }) });
}

/** Says of a request what became of it. A call that was approved runs at once, so that its approval is used then. */
export function toDecided(
  approval: Approval,
  { verdict, at, by, reason }: Decision,
  { approve }: { readonly approve: 'approved' | 'used' },
): Approval {
  const state = ({ approve, deny: 'denied', expired: 'expired', cancelled: 'expired' } as const)[verdict];
  return withoutAbsent<Approval>({ ...approval, state, decidedAt: at, by, reason });
}

/** Names a request so that the names are in the order in which the requests were made. */
function keyOf({ requestedAt, handle }: Note): string {
  return `${String(requestedAt).padStart(15, '0')}/${handle}`;
}
