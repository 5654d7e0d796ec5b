import { isRecord, sleep } from 'toolpact/internal';
import type { RestateIngress } from './restate-ingress.ts';
import type { WorkflowContext } from './restate-sdk.ts';

/** The report of a process about a step that it ran, or was about to run, when Restate moved the attempt elsewhere. */
export type HandedOver = { readonly end: unknown } | { readonly notBegun: true };

/** Speaks about one call with the other processes that have run it, through promises of its workflow. */
export interface HandOver {
  /** Lets the next process know that a step still runs here, again and again, and how it ended. `owner` names this run of the step. */
  readonly give: (step: string, owner: string, running: Promise<unknown> | undefined) => Promise<void>;
  /** Waits for what another process says of its run of a step; undefined where it says nothing: it is gone. */
  readonly take: (step: string, owner: string) => Promise<HandedOver | undefined>;
  /** Lets one run of a step follow another one; gives the name of the one that does, which may be that of another process. */
  readonly claim: (step: string, after: string, owner: string) => Promise<string>;
}

/** How a process hands steps over. */
export interface HandOverOptions {
  readonly ingress: RestateIngress;
  readonly tenant: string;
  readonly handle: string;
  /** How long a silent process counts as alive. */
  readonly leaseMs: number;
}

const lookMs = 200;
/** The most requests in a row that Restate may leave unanswered. */
const maxUnanswered = 300;

/** Creates the hand-over of steps for a call. */
export function createHandOver({ ingress, tenant, handle, leaseMs }: HandOverOptions): HandOver {
  /** Says something, until Restate has it or does not want it: a call that has ended needs nothing more. */
  async function say(name: string, value: unknown): Promise<void> {
    for (let tries = 0; tries < maxUnanswered; tries += 1) {
      if ((await ingress.settle(tenant, handle, name, value, leaseMs / 3)).is !== 'unreachable') return;
      await sleep(lookMs);
    }
  }

  return {
    async give(step, owner, running) {
      const place = placeOf(step, owner);
      if (running === undefined) return say(`${place}/end`, { notBegun: true } satisfies HandedOver);
      let isOver = false;
      const over = running
        .then(
          (end) => say(`${place}/end`, { end } satisfies HandedOver),
          () => undefined,
        )
        .finally(() => {
          isOver = true;
        });
      for (let sign = 1; !isOver; sign += 1) {
        await Promise.race([over, say(`${place}/${sign}`, true)]);
        await Promise.race([over, sleep(leaseMs / 3)]);
      }
    },
    async take(step, owner) {
      const place = placeOf(step, owner);
      let sign = 1;
      let unanswered = 0;
      for (let waitedMs = 0; waitedMs < leaseMs; ) {
        const promises = await ingress.peek(tenant, handle, [`${place}/end`, `${place}/${sign}`]);
        // A look that Restate does not answer says nothing about the other process.
        unanswered = promises === undefined ? unanswered + 1 : 0;
        if (unanswered > maxUnanswered) throw new Error('Restate does not answer.');
        if (isRecord(promises?.[0])) return promises[0] as unknown as HandedOver;
        if (promises?.[1] === true) [sign, waitedMs] = [sign + 1, 0];
        else if (promises !== undefined) waitedMs += lookMs;
        await sleep(lookMs);
      }
      return undefined;
    },
    async claim(step, after, owner) {
      const name = `${placeOf(step, after)}/next`;
      for (let unanswered = 0; unanswered <= maxUnanswered; unanswered += 1) {
        await ingress.settle(tenant, handle, name, owner);
        const [nextOwner] = (await ingress.peek(tenant, handle, [name])) ?? [];
        if (typeof nextOwner === 'string') return nextOwner;
        await sleep(lookMs);
      }
      throw new Error('Restate does not answer.');
    },
  };
}

/** Reads promises of a workflow that are resolved, without waiting for those that are not. */
export async function peekPromises(ctx: WorkflowContext, names: readonly string[]): Promise<readonly unknown[]> {
  const values: unknown[] = [];
  for (const name of names) values.push((await ctx.promise(name).peek()) ?? null);
  return values;
}

/** Questions have other names. */
function placeOf(step: string, owner: string): string {
  return `~flight/${owner}/${step}`;
}
