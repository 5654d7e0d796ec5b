import { assertPositive, type Outcome, refuseOptions, ToolpactError } from '../../outcome/index.ts';
import type { Guard, GuardedCall, LimitState } from '../../ports/index.ts';
import { defineGuard } from '../../runtime/index.ts';
import { createAsyncStorage } from '../../time/index.ts';

/** How many calls run at once, in this process. */
export interface ConcurrencyOptions {
  /** Of all calls together. @default no limit */
  readonly max?: number;
  /** Of each tool: one number for all, or one for each by name. @default no limit */
  readonly perTool?: number | Readonly<Record<string, number>>;
  /** Of each tenant. @default no limit */
  readonly perTenant?: number;
  /** How many calls may wait for their turn. @default 1000 */
  readonly maxQueue?: number;
}

interface Turn {
  readonly tool: string;
  readonly tenant: string;
  /** The names of the limits that it counts for. */
  readonly keys: readonly string[];
  readonly begin: () => void;
  isOver: boolean;
}

/**
 * Limits how many calls run at once. The others wait in the order they came; one whose own limit is reached does not hold up those behind
 * it. Waiting counts against a call's deadline, and a call that its caller stops leaves the queue; a queue that is full answers
 * `rate_limited`. A place is free again when its call has ended, also when a tool ignores its deadline and goes on unseen. A call made inside
 * a running call never waits, so that no call can wait for itself; it counts like any other.
 */
export function concurrency(options: ConcurrencyOptions): Guard {
  refuseOptions<ConcurrencyOptions>('concurrency', options, { max: true, perTool: true, perTenant: true, maxQueue: 'a number from 0' });
  if (options?.max === undefined && options?.perTool === undefined && options?.perTenant === undefined) {
    throw new ToolpactError('invalid_option', 'concurrency needs max, perTool or perTenant');
  }
  const {
    max = Number.POSITIVE_INFINITY,
    perTool = Number.POSITIVE_INFINITY,
    perTenant = Number.POSITIVE_INFINITY,
    maxQueue = 1000,
  } = options;
  assertPositive('concurrency', { max, perTenant, ...(typeof perTool === 'number' ? { perTool } : perTool) });
  const queue = new Set<Turn>();
  /** How many calls run, by the name of a limit. A name that no call runs under is forgotten. */
  const running = new Map<string, number>();
  // In a browser no call is known to be made inside of another.
  const inside = createAsyncStorage<Turn>();

  const used = (key: string): number => running.get(key) ?? 0;
  const maxOf = (tool: string): number =>
    typeof perTool === 'number' ? perTool : ((Object.hasOwn(perTool, tool) ? perTool[tool] : undefined) ?? Number.POSITIVE_INFINITY);
  function hasRoom({ tool, keys }: Turn): boolean {
    const limits = [max, maxOf(tool), perTenant];
    return keys.every((key, at) => used(key) < (limits[at] as number));
  }
  function start(turn: Turn): void {
    for (const key of turn.keys) running.set(key, used(key) + 1);
    queue.delete(turn);
    turn.begin();
  }
  function free({ keys }: Turn): void {
    for (const key of keys) {
      const rest = used(key) - 1;
      if (rest > 0) running.set(key, rest);
      else running.delete(key);
    }
    for (const waiting of queue) {
      if (used('all') >= max) return;
      if (hasRoom(waiting)) start(waiting);
    }
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    let begin: (mayRun: boolean) => void = () => undefined;
    const begun = new Promise<boolean>((resolve) => {
      begin = resolve;
    });
    const [tool, tenant] = [call.tool.name, call.tenantId];
    const turn: Turn = { tool, tenant, keys: ['all', `tool:${tool}`, `tenant:${tenant}`], begin: () => begin(true), isOver: false };
    const isInner = inside?.getStore()?.isOver === false;
    if (isInner || hasRoom(turn)) start(turn);
    else if (queue.size < maxQueue) queue.add(turn);
    else {
      const message = `${tool} did not run: too many calls are waiting for their turn (${queue.size}).`;
      return call.refuse('rate_limited', message, { effect: 'none' });
    }

    const end = (): void => {
      if (turn.isOver) return;
      turn.isOver = true;
      if (queue.delete(turn)) begin(false);
      else free(turn);
    };
    call.onEnd(end);
    if (call.outcome !== undefined) end();
    try {
      if (!(await begun)) return call.outcome ?? call.refuse('cancelled', `${tool} did not run.`);
      return await (inside === undefined ? next() : inside.run(turn, next));
    } finally {
      end();
    }
  }

  /** Of what has no limit nothing is reported. */
  async function limits({ tenantId, tools }: { readonly tenantId: string; readonly tools: readonly string[] }): Promise<LimitState[]> {
    const waiting = (isMeant: (turn: Turn) => boolean): number => [...queue].filter(isMeant).length;
    const all: LimitState[] = [
      { key: 'all', used: used('all'), limit: max, waiting: queue.size, isShared: true },
      ...tools.map((tool) => ({
        key: `tool:${tool}`,
        tool,
        used: used(`tool:${tool}`),
        limit: maxOf(tool),
        waiting: waiting((turn) => turn.tool === tool),
        isShared: true,
      })),
      {
        key: 'tenant',
        used: used(`tenant:${tenantId}`),
        limit: perTenant,
        waiting: waiting(({ tenant }) => tenant === tenantId),
      },
    ];
    return all.filter(({ limit }) => limit !== Number.POSITIVE_INFINITY);
  }

  return defineGuard({ name: 'concurrency', phase: 'limit', around, limits });
}
