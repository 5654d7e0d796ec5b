import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type Clock, systemClock } from 'toolpact/internal';
import { onTestFinished } from 'vitest';
import { createGateway, createServer, type Gateway, type GatewayOptions, type ServerOptions } from '../../src/index.ts';
import { listen } from '../../src/node/listen.ts';

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** A server on Python's standard library alone. */
export const notes = { command: 'python3', args: [fileOf('python-server.py')] };

/** A server that misbehaves on purpose. */
export const bad = (mode = '') => ({ command: execPath, args: [fileOf('bad-server.mjs'), mode] });

/** Opens a gateway that closes with its test. */
export async function openGateway(options: GatewayOptions): Promise<Gateway> {
  const gateway = await createGateway({ report: () => undefined, ...options });
  onTestFinished(gateway.close);
  return gateway;
}

/** Serves a gateway over HTTP; gives its address. */
export async function serveGateway(gateway: Gateway, options: Pick<ServerOptions, 'auth'> = {}): Promise<string> {
  const { url, close } = await listen(createServer(gateway.toolbox, { ...options, mcp: gateway.mcp, auditLog: false }), { port: 0 });
  onTestFinished(() => close({ drainMs: 0 }));
  return url;
}

/** A clock whose timers wait until they are told to go on. */
export function stoppedClock(): { readonly clock: Clock; readonly goOn: () => void } {
  const waiting = new Set<() => void>();
  return {
    clock: {
      ...systemClock,
      after: (_ms, run) => {
        waiting.add(run);
        return () => waiting.delete(run);
      },
    },
    goOn() {
      const due = [...waiting];
      waiting.clear();
      for (const run of due) run();
    },
  };
}
