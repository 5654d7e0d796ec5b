import { noTenant, type Resource } from '../../contract/index.ts';
import type { EventProblem } from '../../events/index.ts';
import { ToolFailure } from '../../outcome/index.ts';
import { sleep } from '../../time/index.ts';
import { readConfig } from './config.ts';
import { notReady } from './failure.ts';
import { limitTime } from './limit-time.ts';
import type { Session } from './session.ts';
import { warmUp } from './warm-up.ts';

/** The result of closing all values. */
export interface CloseReport {
  readonly closed: number;
  /** How many could not be closed, or not in time. */
  readonly failed: number;
}

/** Opens the values of sessions and closes each of them once. */
export interface ResourceValues {
  /** Returns the value of a session. All who ask while it opens wait for the same attempt; after a failure the next one tries again. */
  readonly open: (session: Session) => Promise<unknown>;
  /** Closes the value of a session, also one that is still to come. Never rejects; false when it could not be closed. */
  readonly close: (session: Session) => Promise<boolean>;
  /** Closes all that is open in reverse order of opening, and waits for what is being closed already. */
  readonly closeAll: (timeoutMs: number) => Promise<CloseReport>;
}

/** Creates the keeper of values. It holds no lock: however long one takes to open, the others do not notice. */
export function createValues(now: () => number, report: (problem: EventProblem) => void): ResourceValues {
  /** In the order of opening. */
  const opened = new Set<Session>();
  const closing = new Set<Promise<boolean>>();

  function open(session: Session): Promise<unknown> {
    const { state } = session;
    if (state.is === 'open') return Promise.resolve(state.value);
    if (state.is === 'opening') return state.promise;
    if (state.is === 'closed') return Promise.reject(ended(session));
    const stop = new AbortController();
    const promise = start(session, stop.signal);
    promise.catch(() => undefined);
    session.state = { is: 'opening', promise, stop };
    return promise;
  }

  async function start(session: Session, signal: AbortSignal): Promise<unknown> {
    try {
      await prepare(session.resource, signal);
      const value = await openValue(session, signal);
      // The caller gave up while the value was opened: close it.
      if (signal.aborted) void closeValue(session, value);
      signal.throwIfAborted();
      session.state = { is: 'open', value };
      session.lastUsedAt = now();
      opened.add(session);
      return value;
    } catch (thrown) {
      session.state = { is: session.gone ? 'closed' : 'failed' };
      if (session.users === 0 && !signal.aborted) tell(session, 'open', ToolFailure.isInstance(thrown) ? thrown.cause : thrown);
      throw signal.aborted ? ended(session) : thrown;
    }
  }

  async function openValue(session: Session, signal: AbortSignal): Promise<unknown> {
    const { resource, tenantId = noTenant, worker, id: sessionId, name: sessionName, temporary } = session;
    try {
      const config = (await readConfig(resource, session.config)) as never;
      return await limitTime((own) => resource.open({ tenantId, worker, sessionId, sessionName, temporary, config, signal: own }), {
        ms: resource.openTimeoutMs,
        signal,
        onLate: (value) => void closeValue(session, value),
      });
    } catch (thrown) {
      throw notReady('open', `The resource "${resource.type}" did not open.`, { cause: thrown });
    }
  }

  function close(session: Session): Promise<boolean> {
    const { state } = session;
    if (state.is === 'opening') state.stop.abort(ended(session));
    if (state.is !== 'open') return Promise.resolve(true);
    session.state = { is: 'closed' };
    opened.delete(session);
    return closeValue(session, state.value);
  }

  function closeValue(session: Session, value: unknown): Promise<boolean> {
    const { resource } = session;
    const done = limitTime(() => resource.close?.(value as never), { ms: resource.closeTimeoutMs }).then(
      () => true,
      (thrown: unknown) => {
        tell(session, 'close', thrown);
        return false;
      },
    );
    closing.add(done);
    void done.then(() => closing.delete(done));
    return done;
  }

  async function closeAll(timeoutMs: number): Promise<CloseReport> {
    const total = opened.size + closing.size;
    const results: boolean[] = [];
    const count = (done: Promise<boolean>): Promise<number> => done.then((isClosed) => results.push(isClosed));
    const before = [...closing].map(count);
    const over = new AbortController();
    const deadline = sleep(timeoutMs, over.signal);
    // One after the other, because what was opened later may need what was opened before it; all at once when half the time is gone.
    const hurry = sleep(timeoutMs / 2, over.signal);
    for (const session of [...opened].reverse()) {
      const done = count(close(session));
      await Promise.race([done, hurry]);
      before.push(done);
    }
    await Promise.race([Promise.all(before), deadline]);
    over.abort();
    const closed = results.filter(Boolean).length;
    return { closed, failed: total - closed };
  }

  function tell({ resource, id }: Session, during: 'open' | 'close', error: unknown): void {
    report({ where: `${during} of the resource "${resource.type}" (session ${id})`, error });
  }

  return { open, close, closeAll };
}

/** Waits until a resource is prepared, or until this session no longer needs it. The preparation goes on, because other sessions may need it. */
async function prepare(resource: Resource, signal: AbortSignal): Promise<void> {
  try {
    await limitTime(() => warmUp(resource), { ms: Number.POSITIVE_INFINITY, signal });
  } catch (thrown) {
    throw notReady('warm_up', `The backend of the resource "${resource.type}" is not initialized.`, { cause: thrown });
  }
}

function ended({ resource }: Session): ToolFailure {
  return notReady('session', `The session of the resource "${resource.type}" has ended.`, { advice: 'Create it again.' });
}
