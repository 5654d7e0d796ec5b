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
  /** What it needs a place among. */
  readonly keys: readonly string[];
  /** The call inside of which it is made. Forgotten at its end: a tool that calls itself again and again from a timer makes no endless chain. */
  outer: Turn | undefined;
  readonly begin: () => void;
  /** The places that it takes from the limits. */
  taken: readonly string[];
  /** The calls whose places it uses, by what it needs them among. */
  lenders: ReadonlyMap<string, Turn>;
  /** The places of its own that a call inside of it uses. */
  readonly lent: Set<string>;
  isOver: boolean;
}

/**
 * Limits how many calls run at once. The others wait in the order they came; one whose own limit is reached does not hold up those behind
 * it. Waiting counts against a call's deadline, and a call that its caller stops leaves the queue; a queue that is full answers
 * `rate_limited`. A place is free again when its call has ended, also when a tool ignores its deadline and goes on unseen. A call that a tool
 * makes while its limit is reached uses the place of that tool's own call, one such call at a time: otherwise both would wait for ever.
 */
export function concurrency(options: ConcurrencyOptions): Guard {
  refuseOptions<ConcurrencyOptions>('concurrency', options, { max: true, perTool: true, perTenant: true, maxQueue: 'at least 0' });
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
  /** How many of the queue are made inside of another call, and so may begin although all places are taken. */
  let innerWaiting = 0;
  const running = createTally();
  // In a browser no call is known to be made inside of another.
  const inside = createAsyncStorage<Turn>();

  const maxOf = (tool: string): number =>
    typeof perTool === 'number' ? perTool : ((Object.hasOwn(perTool, tool) ? perTool[tool] : undefined) ?? Number.POSITIVE_INFINITY);
  /** The limits that a call has reached. */
  const lacking = ({ tool, keys }: Turn): readonly string[] => {
    const limits = [max, maxOf(tool), perTenant];
    return keys.filter((key, at) => running.of(key) >= (limits[at] as number));
  };
  /** The nearest call around this one that has a place, and has not lent it. */
  function lenderOf({ outer }: Turn, key: string): Turn | undefined {
    for (let turn = outer; turn !== undefined; turn = turn.outer)
      if (!turn.isOver && turn.keys.includes(key) && !turn.lent.has(key)) return turn;
    return undefined;
  }
  function tryToStart(turn: Turn): boolean {
    const lenders = new Map<string, Turn>();
    for (const key of lacking(turn)) {
      const lender = lenderOf(turn, key);
      if (lender === undefined) return false;
      lenders.set(key, lender);
    }
    for (const [key, lender] of lenders) lender.lent.add(key);
    turn.lenders = lenders;
    turn.taken = turn.keys.filter((key) => !lenders.has(key));
    for (const key of turn.taken) running.add(key, 1);
    leaveQueue(turn);
    turn.begin();
    return true;
  }
  function leaveQueue(turn: Turn): boolean {
    const wasWaiting = queue.delete(turn);
    if (wasWaiting && turn.outer !== undefined) innerWaiting -= 1;
    return wasWaiting;
  }
  /** Gives a place of a call back, once no call inside of it uses it. */
  function free(turn: Turn, key: string): void {
    if (turn.lent.has(key) || !turn.isOver) return;
    const lender = turn.lenders.get(key);
    if (lender === undefined) {
      running.add(key, -1);
      return;
    }
    lender.lent.delete(key);
    free(lender, key);
  }
  function letIn(): void {
    for (const turn of queue) {
      if (running.of('all') >= max && innerWaiting === 0) return;
      tryToStart(turn);
    }
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    let begin: (mayRun: boolean) => void = () => undefined;
    const begun = new Promise<boolean>((resolve) => {
      begin = resolve;
    });
    const [tool, tenant] = [call.tool.name, call.tenantId];
    const turn: Turn = {
      tool,
      tenant,
      keys: ['all', `tool:${tool}`, `tenant:${tenant}`],
      outer: inside?.getStore(),
      begin: () => begin(true),
      taken: [],
      lenders: new Map(),
      lent: new Set(),
      isOver: false,
    };
    const isStarted = tryToStart(turn);
    if (!isStarted && queue.size < maxQueue) {
      queue.add(turn);
      if (turn.outer !== undefined) innerWaiting += 1;
    } else if (!isStarted)
      return call.refuse('rate_limited', `${turn.tool} did not run: too many calls are waiting for their turn (${queue.size}).`, {
        effect: 'none',
      });

    const end = (): void => {
      if (turn.isOver) return;
      turn.isOver = true;
      const wasWaiting = leaveQueue(turn);
      turn.outer = undefined;
      if (wasWaiting) {
        begin(false);
        return;
      }
      for (const key of turn.keys) free(turn, key);
      letIn();
    };
    call.onEnd(end);
    if (call.outcome !== undefined) end();
    try {
      if (!(await begun)) return call.outcome ?? call.refuse('cancelled', `${turn.tool} did not run.`);
      return await (inside === undefined ? next() : inside.run(turn, next));
    } finally {
      end();
    }
  }

  /** Of what has no limit nothing is reported. */
  async function limits({ tenantId, tools }: { readonly tenantId: string; readonly tools: readonly string[] }): Promise<LimitState[]> {
    const waiting = (isMeant: (turn: Turn) => boolean): number => [...queue].filter(isMeant).length;
    const all: LimitState[] = [
      { key: 'all', used: running.of('all'), limit: max, waiting: queue.size, isShared: true },
      ...tools.map((tool) => ({
        key: `tool:${tool}`,
        tool,
        used: running.of(`tool:${tool}`),
        limit: maxOf(tool),
        waiting: waiting((turn) => turn.tool === tool),
        isShared: true,
      })),
      {
        key: 'tenant',
        used: running.of(`tenant:${tenantId}`),
        limit: perTenant,
        waiting: waiting(({ tenant }) => tenant === tenantId),
      },
    ];
    return all.filter(({ limit }) => limit !== Number.POSITIVE_INFINITY);
  }

  return defineGuard({ name: 'concurrency', phase: 'limit', around, limits });
}

/** Counts by name, and forgets a name that is back at 0. */
function createTally(): { readonly of: (key: string) => number; readonly add: (key: string, amount: number) => void } {
  const counts = new Map<string, number>();
  return {
    of: (key) => counts.get(key) ?? 0,
    add(key, amount) {
      const count = (counts.get(key) ?? 0) + amount;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}
