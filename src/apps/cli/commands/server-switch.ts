import type { ToolServer } from '../../../edges/server/index.ts';

/** A server whose tools can be exchanged while it listens. */
export interface ServerSwitch {
  /** What listens; every request goes to the server that is current when it comes. */
  readonly server: ToolServer;
  /** Takes another server from now on; the one before finishes what it has begun and is closed. */
  readonly use: (next: ToolServer) => void;
}

/** For so long calls that an exchanged server has begun may go on. */
const lastMs = 60_000;

/** Makes a switch that begins with one server. */
export function createServerSwitch(first: ToolServer): ServerSwitch {
  let current = first;
  const { maxBodyBytes } = first['~direct'];
  const server: ToolServer = {
    fetch: (request) => current.fetch(request),
    close: (options) => current.close(options),
    hasAuth: first.hasAuth,
    hosts: first.hosts,
    '~direct': {
      maxBodyBytes,
      // A listener keeps this object for good, so it has to lead to whichever server is current.
      inFlight: new Proxy(first['~direct'].inFlight, { get: (_, name) => Reflect.get(current['~direct'].inFlight, name) as unknown }),
      find: (asked) => current['~direct'].find(asked),
    },
  };
  return {
    server,
    use(next) {
      const before = current;
      current = next;
      void before.close({ drainMs: lastMs });
    },
  };
}
