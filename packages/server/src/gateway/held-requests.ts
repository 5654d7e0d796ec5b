import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
} from '@modelcontextprotocol/server';
import { type Clock, isRecord, type McpRequest } from 'toolpact/internal';

/** A request that a server behind the gateway makes of a client. */
export interface ServerRequest {
  readonly method: string;
  readonly params?: unknown;
  /** The server's name for it, if it has one. */
  readonly name?: string;
}

/**
 * Requests of clients that cannot be asked while they wait: in the newer era a client is told what is needed in the answer, and comes back with it.
 * Meanwhile the request goes on here, and waits.
 */
export interface HeldRequests {
  /** Runs a request. Gives its result, or first what the client is asked; the client's next request then gets the rest. */
  readonly hold: (request: McpRequest, caller: string, run: (request: McpRequest) => Promise<object>) => Promise<object>;
  /** Asks the client of a request that is held; undefined for one that is not. */
  readonly ask: (host: unknown, asked: ServerRequest, name?: string) => Promise<object> | undefined;
  /** Answers the request of a client that cannot do what a server demands; nothing happens for one that is not held. */
  readonly demand: (host: unknown, requiredCapabilities: object) => void;
  /** Ends all that wait. */
  readonly close: () => void;
}

interface Host {
  readonly mcpReq?: {
    readonly envelope?: unknown;
    readonly signal?: AbortSignal;
    readonly inputResponses?: Readonly<Record<string, unknown>>;
    readonly requestState?: () => unknown;
    readonly notify?: (notification: object) => Promise<void>;
  };
}

interface Question {
  readonly asked: ServerRequest;
  readonly resolve: (answer: object) => void;
}

const prefix = 'gateway.';
/** People take their time. */
const patienceMs = 3_600_000;
/** At this number, whoever holds the most makes room: somebody who never comes back for an answer keeps nobody else from theirs. */
const mostWaiting = 1_000;
const invalidParams = -32602;

/** Client capabilities that a server's request needs. */
const needed: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/** Creates the place where requests are held. */
export function createHeldRequests(clock: Clock): HeldRequests {
  const waiting = new Map<string, HeldRequest>();
  const byHost = new WeakMap<object, HeldRequest>();

  /** Ends the oldest request of the caller with the most. */
  function makeRoom(): void {
    const counts = new Map<string, number>();
    for (const { caller } of waiting.values()) counts.set(caller, (counts.get(caller) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const [id, oldest] = [...waiting].find(([, { caller }]) => counts.get(caller) === most) ?? [];
    if (id !== undefined && waiting.delete(id)) oldest?.giveUp();
  }

  return {
    async hold(request, caller, run) {
      const { mcpReq } = (request.host ?? {}) as Host;
      if (mcpReq?.envelope === undefined) return run(request);
      const state = mcpReq.requestState?.();
      if (typeof state === 'string' && state.startsWith(prefix)) {
        const id = state.slice(prefix.length);
        const one = waiting.get(id);
        if (one === undefined || one.caller !== caller)
          throw new ProtocolError(invalidParams, 'The request state is not known: its request has ended, or was made by another client.');
        waiting.delete(id);
        return one.goOn(request);
      }
      const one = new HeldRequest(caller, (id, held) => {
        waiting.set(id, held);
        if (waiting.size > mostWaiting) makeRoom();
        return clock.after(patienceMs, () => waiting.delete(id) && held.giveUp(), { background: true });
      });
      return one.start(request, (own) => {
        byHost.set(own.host as object, one);
        return run(own);
      });
    },
    ask: (host, asked, name) => (typeof host === 'object' && host !== null ? byHost.get(host)?.ask(asked, name) : undefined),
    demand(host, requiredCapabilities) {
      if (typeof host === 'object' && host !== null) byHost.get(host)?.demand(requiredCapabilities);
    },
    close() {
      for (const one of waiting.values()) one.giveUp();
      waiting.clear();
    },
  };
}

type Park = (id: string, held: HeldRequest) => (() => void) | undefined;

/** One request, over all the requests of the client that it takes to end it. */
class HeldRequest {
  readonly caller: string;
  private readonly park: Park;
  private readonly stop = new AbortController();
  private readonly questions = new Map<string, Question>();
  private turn = Promise.withResolvers<object>();
  private current: McpRequest | undefined;
  private unlink: (() => void) | undefined;
  private stopTimer: (() => void) | undefined;
  private count = 0;
  private isTelling = false;

  constructor(caller: string, park: Park) {
    this.caller = caller;
    this.park = park;
  }

  start(request: McpRequest, run: (request: McpRequest) => Promise<object>): Promise<object> {
    this.follow(request);
    const host = request.host as Host & object;
    // Requests sent meanwhile belong to whichever request of the client is open.
    const notify = (notification: object) => (this.current?.host as Host | undefined)?.mcpReq?.notify?.(notification);
    const mcpReq = Object.create(host.mcpReq as object, {
      signal: { value: this.stop.signal },
      notify: { value: async (notification: object) => notify(notification) },
    });
    const own: McpRequest = {
      ...request,
      signal: this.stop.signal,
      notify: (notification) => this.current?.notify?.(notification),
      host: Object.create(host, { mcpReq: { value: mcpReq } }),
    };
    void run(own).then(
      (result) => this.turn.resolve(result),
      (error: unknown) => this.turn.reject(error),
    );
    return this.leave();
  }

  goOn(request: McpRequest): Promise<object> {
    this.stopTimer?.();
    this.turn = Promise.withResolvers();
    this.follow(request);
    const responses = (request.host as Host).mcpReq?.inputResponses ?? {};
    for (const [id, { resolve }] of this.questions) {
      const answer = Object.hasOwn(responses, id) ? responses[id] : undefined;
      if (!isRecord(answer)) continue;
      this.questions.delete(id);
      resolve(answer);
    }
    // Open questions are asked again.
    if (this.questions.size > 0) this.tellSoon();
    return this.leave();
  }

  ask(asked: ServerRequest, name?: string): Promise<object> {
    const capability = needed[asked.method] ?? asked.method;
    if (!this.canDo(capability)) return Promise.reject(this.demand({ [capability]: {} }));
    this.count += 1;
    const { promise, resolve } = Promise.withResolvers<object>();
    this.questions.set(name ?? `question_${this.count}`, { asked, resolve });
    this.tellSoon();
    return promise;
  }

  /** Answers with the error of the protocol for a client that lacks something, and gives it. */
  demand(requiredCapabilities: object): Error {
    const error = new MissingRequiredClientCapabilityError({ requiredCapabilities });
    this.turn.reject(error);
    return error;
  }

  giveUp(): undefined {
    this.stop.abort(new Error('The client did not come back with what it was asked for.'));
  }

  private canDo(capability: string): boolean {
    const { [CLIENT_CAPABILITIES_META_KEY]: capabilities } = ((this.current?.host as Host | undefined)?.mcpReq?.envelope ?? {}) as Record<
      string,
      unknown
    >;
    return isRecord(capabilities) && isRecord(capabilities[capability]);
  }

  /** Servers ask for several things at once; they are told together. */
  private tellSoon(): void {
    if (this.isTelling) return;
    this.isTelling = true;
    setImmediate(() => {
      this.isTelling = false;
      if (this.questions.size === 0 || this.stop.signal.aborted) return;
      const id = globalThis.crypto.randomUUID();
      this.stopTimer = this.park(id, this);
      const inputRequests = Object.fromEntries([...this.questions].map(([name, { asked }]) => [name, asked]));
      this.turn.resolve(inputRequired({ inputRequests: inputRequests as never, requestState: `${prefix}${id}` }));
    });
  }

  /** A client that goes away ends the request while it is open, and not while it waits for the client to come back. */
  private follow(request: McpRequest): void {
    this.current = request;
    const { signal } = request;
    const abort = (): void => this.stop.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    this.unlink = () => signal?.removeEventListener('abort', abort);
  }

  private async leave(): Promise<object> {
    const { unlink } = this;
    try {
      return await this.turn.promise;
    } finally {
      unlink?.();
    }
  }
}
