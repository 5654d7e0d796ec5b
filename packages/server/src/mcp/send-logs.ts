import type { EventOf, ToolpactEvent } from 'toolpact';
import { createAsyncStorage } from 'toolpact/internal';
import type { ServedToolbox } from '../server-options.ts';
import { limitProgress } from './limit-progress.ts';

/** Makes a call, and sends what its tool writes with `ctx.log` to the client that called. */
export type SendLogs = <TValue>(host: unknown, run: () => Promise<TValue>) => Promise<TValue>;

/** The logger that the SDK gives to its handlers. It drops messages below the level that the client has set. */
interface Host {
  readonly mcpReq?: { readonly log?: (level: 'info', data: unknown, logger: string) => Promise<void> };
}

type Send = (event: EventOf<'log'>) => void;

/**
 * Creates the sender of logs. An event comes while the tool writes it, so the asynchronous context tells which request it belongs to; on
 * platforms without such contexts nothing is sent.
 */
export function createSendLogs(toolbox: Pick<ServedToolbox, 'subscribe'>): SendLogs {
  const sending = createAsyncStorage<Send>();
  if (sending === undefined) return (_host, run) => run();
  toolbox.subscribe((event: ToolpactEvent) => {
    if (event.type === 'log') sending.getStore()?.(event);
  });
  return (host, run) => {
    const { mcpReq } = (host ?? {}) as Host;
    if (typeof mcpReq?.log !== 'function') return run();
    const send = limitProgress<EventOf<'log'>>(({ tool, message, details }) => {
      const data = details === undefined ? message : { message, details };
      // A client that is gone must not end the call.
      mcpReq.log?.('info', data, tool).catch(() => undefined);
    });
    return sending.run(send, run);
  };
}
