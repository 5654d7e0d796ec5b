import type { ToolServer } from '../../../edges/server/index.ts';

/** A server whose tools can be exchanged while it listens. */
export interface ServerSwitch {
  /** What listens; every request goes to the server that is current when it comes. */
  readonly server: ToolServer;
  /** Takes another server from now on; the one before finishes what it has begun and is closed. */
  readonly use: (next: ToolServer) => void;
}

/** Calls that an exchanged server has begun may go on for so long. */
const lastMs = 60_000;

/** Makes a switch that begins with one server. */
export function createServerSwitch(first: ToolServer): ServerSwitch {
  let current = first;
  const server: ToolServer = {
    fetch: (request) => current.fetch(request),
    answer: (head) => current.answer(head),
    get isClosing() {
      return current.isClosing;
    },
    close: (options) => current.close(options),
    hasAuth: first.hasAuth,
    hosts: first.hosts,
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
