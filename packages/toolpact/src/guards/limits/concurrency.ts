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
  /** The keys of the limits under which it needs a place. */
  readonly keys: readonly string[];
  /** The call inside of which it is made. Forgotten at its end: a tool that calls itself again and again from a timer makes no endless chain. */
  outer: Turn | undefined;
  readonly begin: () => void;
  /** The calls whose places it uses, by what it needs them among. */
  lenders: ReadonlyMap<string, Turn>;
  /** The places of its own that a call inside of it uses. */
  readonly lent: Set<string>;
  /** How many calls inside of it wait. */
  waitingInside: number;
  isOver: boolean;
}

/**
 * Limits how many calls run at once. The others wait in the order they came; one whose own limit is reached does not hold up those behind
 * it. Waiting counts against a call's deadline, and a call that its caller stops leaves the queue; a queue that is full answers
 * `rate_limited`. A place is free again when its call has ended, also when a tool ignores its deadline and goes on unseen. A call that a tool
 * makes while its limit is reached uses the place of that tool's own call, one such call at a time: otherwise both would wait for ever. Where
 * calls would wait for each other in a circle, one of them uses the place of another that waits.
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
  /** The calls of the queue that are made inside of others, and so may begin although all places are taken; each with the calls around it. */
  const innerWaiting = new Map<Turn, readonly Turn[]>();
  /** The calls that wait in a circle, as far as nothing has changed since they were found. */
  let stuck: ReadonlySet<Turn> | undefined;
  /** The calls that use a place, by what they need it among. */
  const places = createPlaces();
  // In a browser no call is known to be made inside of another.
  const inside = createAsyncStorage<Turn>();

  const maxOf = (tool: string): number =>
    typeof perTool === 'number' ? perTool : ((Object.hasOwn(perTool, tool) ? perTool[tool] : undefined) ?? Number.POSITIVE_INFINITY);
  /** The limits that a call has reached. */
  const lacking = ({ tool, keys }: Turn): readonly string[] => {
    const limits = [max, maxOf(tool), perTenant];
    return keys.filter((key, at) => places.users(key).size >= (limits[at] as number));
  };
  function tryToStart(turn: Turn): boolean {
    const lenders = new Map<string, Turn>();
    for (const key of lacking(turn)) {
      const lender = outerUser(turn, places.users(key)) ?? stuckUser(turn, key);
      if (lender === undefined) return false;
      lenders.set(key, lender);
    }
    for (const [key, lender] of lenders) {
      lender.lent.add(key);
      places.leave(lender, key);
    }
    turn.lenders = lenders;
    for (const key of turn.keys) places.use(turn, key);
    stuck = undefined;
    leaveQueue(turn);
    turn.begin();
    return true;
  }
  function enterQueue(turn: Turn): void {
    queue.add(turn);
    if (turn.outer === undefined) return;
    const around = [...outerOf(turn)];
    for (const outer of around) outer.waitingInside += 1;
    innerWaiting.set(turn, around);
    stuck = undefined;
  }
  function leaveQueue(turn: Turn): boolean {
    for (const outer of innerWaiting.get(turn) ?? []) outer.waitingInside -= 1;
    if (innerWaiting.delete(turn)) stuck = undefined;
    return queue.delete(turn);
  }
  /** Finds a call that waits in a circle with this one, and so would keep its place for ever. */
  function stuckUser(turn: Turn, key: string): Turn | undefined {
    const users = places.users(key);
    // Mostly some of them wait for nobody.
    if (!innerWaiting.has(turn) || [...users].some(({ waitingInside }) => waitingInside === 0)) return undefined;
    stuck ??= findStuck(innerWaiting, (one) => lacking(one).map((lacked) => places.users(lacked)));
    return [...users].every((user) => stuck?.has(user)) ? users.values().next().value : undefined;
  }
  /** Gives a place of a call back, once no call inside of it uses it. */
  function free(turn: Turn, key: string): void {
    if (turn.lent.has(key)) return;
    places.leave(turn, key);
    stuck = undefined;
    const lender = turn.lenders.get(key);
    if (lender === undefined) return;
    lender.lent.delete(key);
    if (lender.isOver) free(lender, key);
    else places.use(lender, key);
  }
  function letIn(): void {
    for (const turn of queue) {
      if (places.users('all').size >= max && innerWaiting.size === 0) return;
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
      lenders: new Map(),
      lent: new Set(),
      waitingInside: 0,
      isOver: false,
    };
    if (!tryToStart(turn)) {
      if (queue.size >= maxQueue) {
        const message = `${turn.tool} did not run: too many calls are waiting for their turn (${queue.size}).`;
        return call.refuse('rate_limited', message, { effect: 'none' });
      }
      enterQueue(turn);
      // Where its waiting closes a circle, it need not wait.
      if (turn.outer !== undefined) tryToStart(turn);
    }

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
      { key: 'all', used: places.users('all').size, limit: max, waiting: queue.size, isShared: true },
      ...tools.map((tool) => ({
        key: `tool:${tool}`,
        tool,
        used: places.users(`tool:${tool}`).size,
        limit: maxOf(tool),
        waiting: waiting((turn) => turn.tool === tool),
        isShared: true,
      })),
      {
        key: 'tenant',
        used: places.users(`tenant:${tenantId}`).size,
        limit: perTenant,
        waiting: waiting(({ tenant }) => tenant === tenantId),
      },
    ];
    return all.filter(({ limit }) => limit !== Number.POSITIVE_INFINITY);
  }

  return defineGuard({ name: 'concurrency', phase: 'limit', around, limits });
}

/** The calls around one, the nearest first. */
function* outerOf({ outer }: Turn): Generator<Turn> {
  for (let turn = outer; turn !== undefined; turn = turn.outer) yield turn;
}

/** The nearest call around this one among those that use a place. */
function outerUser(turn: Turn, users: ReadonlySet<Turn>): Turn | undefined {
  for (const outer of outerOf(turn)) if (users.has(outer)) return outer;
  return undefined;
}

/**
 * Finds the calls that can never end: inside of each, a call waits for a place among such calls alone. `waiting` are the calls that wait, with those
 * around them, and `usersOf` gives those that use the places that one waits for.
 */
function findStuck(waiting: ReadonlyMap<Turn, readonly Turn[]>, usersOf: (turn: Turn) => readonly ReadonlySet<Turn>[]): ReadonlySet<Turn> {
  const inside = new Map<Turn, Turn[]>();
  for (const [turn, around] of waiting)
    for (const outer of around) {
      const known = inside.get(outer);
      if (known === undefined) inside.set(outer, [turn]);
      else known.push(turn);
    }
  const stuck = new Set(inside.keys());
  const mayBegin = (turn: Turn): boolean =>
    usersOf(turn).every((users) => outerUser(turn, users) !== undefined || [...users].some((user) => !stuck.has(user)));
  for (let before = 0; before !== stuck.size; ) {
    before = stuck.size;
    for (const turn of stuck) if (inside.get(turn)?.every(mayBegin) === true) stuck.delete(turn);
  }
  return stuck;
}

interface Places {
  readonly users: (key: string) => ReadonlySet<Turn>;
  readonly use: (turn: Turn, key: string) => void;
  readonly leave: (turn: Turn, key: string) => void;
}

/** Keeps who uses places, by name, and forgets a name that nobody uses. */
function createPlaces(): Places {
  const all = new Map<string, Set<Turn>>();
  const none: ReadonlySet<Turn> = new Set();
  return {
    users: (key) => all.get(key) ?? none,
    use(turn, key) {
      const users = all.get(key);
      if (users === undefined) all.set(key, new Set([turn]));
      else users.add(turn);
    },
    leave(turn, key) {
      const users = all.get(key);
      users?.delete(turn);
      if (users?.size === 0) all.delete(key);
    },
  };
}
