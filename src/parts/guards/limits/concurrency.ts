import type { Outcome } from '../../../core/outcome/index.ts';
import { refuseOptions, ToolpactError } from '../../../core/outcome/index.ts';
import type { Guard, GuardedCall, LimitState } from '../../../core/ports/index.ts';
import { defineGuard } from '../../../core/runtime/index.ts';
import { assertPositive } from '../store-access/assert-options.ts';

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
  readonly begin: () => void;
}

/**
 * Limits how many calls run at once. The others wait in the order they came; one whose own limit is reached does not hold up those behind
 * it. Waiting counts against a call's deadline, and a call that its caller stops leaves the queue; a queue that is full answers
 * `rate_limited`. A place is free again when its call has ended, also when a tool ignores its deadline and goes on unseen.
 */
export function concurrency(options: ConcurrencyOptions): Guard {
  refuseOptions<ConcurrencyOptions>('concurrency', options, { max: true, perTool: true, perTenant: true, maxQueue: true });
  if (options?.max === undefined && options?.perTool === undefined && options?.perTenant === undefined) {
    throw new ToolpactError('invalid_option', 'concurrency needs max, perTool or perTenant');
  }
  const {
    max = Number.POSITIVE_INFINITY,
    perTool = Number.POSITIVE_INFINITY,
    perTenant = Number.POSITIVE_INFINITY,
    maxQueue = 1000,
  } = options;
  assertPositive({ max, perTenant, ...(typeof perTool === 'number' ? { perTool } : perTool) });
  if (!(maxQueue >= 0)) throw new ToolpactError('invalid_option', 'maxQueue must be at least 0', { option: 'maxQueue' });
  const queue = new Set<Turn>();
  const running = createTally();

  const maxOf = (tool: string): number =>
    typeof perTool === 'number' ? perTool : ((Object.hasOwn(perTool, tool) ? perTool[tool] : undefined) ?? Number.POSITIVE_INFINITY);
  const hasRoom = ({ tool, tenant }: Turn): boolean =>
    running.of('all') < max && running.of(`tool:${tool}`) < maxOf(tool) && running.of(`tenant:${tenant}`) < perTenant;

  function count({ tool, tenant }: Turn, amount: 1 | -1): void {
    for (const key of ['all', `tool:${tool}`, `tenant:${tenant}`]) running.add(key, amount);
  }
  function start(turn: Turn): void {
    queue.delete(turn);
    count(turn, 1);
    turn.begin();
  }
  function letIn(): void {
    for (const turn of queue) {
      if (running.of('all') >= max) return;
      if (hasRoom(turn)) start(turn);
    }
  }

  async function around(call: GuardedCall, next: () => Promise<Outcome>): Promise<Outcome> {
    let begin: (mayRun: boolean) => void = () => undefined;
    const begun = new Promise<boolean>((resolve) => {
      begin = resolve;
    });
    const turn: Turn = { tool: call.tool.name, tenant: call.tenantId, begin: () => begin(true) };
    if (hasRoom(turn)) start(turn);
    else if (queue.size < maxQueue) queue.add(turn);
    else
      return call.refuse('rate_limited', `${turn.tool} did not run: too many calls are waiting for their turn (${queue.size}).`, {
        effect: 'none',
      });

    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      if (queue.delete(turn)) {
        begin(false);
        return;
      }
      count(turn, -1);
      letIn();
    };
    call.onEnd(end);
    if (call.outcome !== undefined) end();
    try {
      if (!(await begun)) return call.outcome ?? call.refuse('cancelled', `${turn.tool} did not run.`);
      return await next();
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
