import { type Meta, ToolFailure } from '../../outcome/index.ts';
import type { ResourceLease, ResourceUser } from '../../ports/index.ts';
import { type StopTimer, systemClock } from '../../time/index.ts';
import { withReason } from './failure.ts';
import type { Session } from './session.ts';

/** The part of the session keeper that a lease needs. */
export interface LeaseKeeper {
  /** Finds the session a call means, or makes a temporary one, and counts the call among its users. Throws a failure when there is none. */
  readonly enter: (call: ResourceUser, type: string) => Session;
  readonly open: (session: Session) => Promise<unknown>;
  /** Takes a user off a session; the last one closes what is temporary or gone. */
  readonly leave: (session: Session) => void;
  readonly lateMs: number;
}

/** Creates what one call holds: each session once, until the tool has really ended. */
export function createLease(call: ResourceUser, keeper: LeaseKeeper): ResourceLease {
  const held = new Map<string, { readonly session: Session; readonly value: Promise<unknown> }>();
  const meta: { -readonly [TKey in keyof Pick<Meta, 'resourceType' | 'sessionId' | 'temporarySession'>]: Meta[TKey] } = {};
  const { redactor, expose } = call.settings;
  let isOver = false;
  let stopLateTimer: StopTimer | undefined;
  let stop: (reason: ToolFailure) => void = () => undefined;
  const stopped = new Promise<never>((_, reject) => {
    stop = reject;
  });
  stopped.catch(() => undefined);

  function drop(type: string): void {
    const session = held.get(type)?.session;
    if (held.delete(type) && session !== undefined) keeper.leave(session);
  }

  function take(type: string): Promise<unknown> {
    const session = keeper.enter(call, type);
    note(session);
    const value = Promise.race([keeper.open(session), stopped]).catch((thrown: unknown) => {
      // The lease drops a resource that failed to open, so that the next request tries again.
      if (held.get(type)?.session === session) drop(type);
      throw withReason(thrown, { redactor, expose });
    });
    value.catch(() => undefined);
    held.set(type, { session, value });
    return value;
  }

  /** The first resource of a call is the one its outcome names. */
  function note({ id, resource, temporary }: Session): void {
    if (meta.resourceType !== undefined) return;
    meta.resourceType = resource.type;
    if (resource.shared !== false) return;
    meta.sessionId = id;
    if (temporary) meta.temporarySession = true;
  }

  return {
    meta,
    async get(wanted) {
      if (isOver) throw over();
      const type = typeof wanted === 'string' ? wanted : wanted.type;
      return held.get(type)?.value ?? take(type);
    },
    end(goesOn) {
      isOver = true;
      stop(over());
      stopLateTimer?.();
      const leaveAll = (): void => {
        for (const type of held.keys()) drop(type);
      };
      // A tool that goes on after its call keeps its resources for `lateMs`; then they are closed.
      if (goesOn) stopLateTimer = systemClock.after(keeper.lateMs, leaveAll, { background: true });
      else leaveAll();
    },
  };
}

function over(): ToolFailure {
  return new ToolFailure('cancelled', 'The call has ended; its resources are not available any more.');
}
