import type { Outcome } from 'toolpact';
import type { Ask } from './ask.ts';
import type { Client, RequestOptions, ServedSession, ServedSessions, SessionSelection } from './client.ts';
import { toPathPart, toQuery } from './stored-calls.ts';

/** Creates the part of a client that keeps sessions. All of it may be repeated: what is open stays open, and what is gone stays gone. */
export function createClientSessions(ask: Ask): Client['sessions'] {
  const several = async (
    method: 'GET' | 'POST' | 'DELETE',
    action: string,
    { sessionId, workerId, resourceType }: SessionSelection,
    options: RequestOptions,
  ): Promise<Outcome<ServedSessions>> => {
    const one = sessionId === undefined ? '' : `/${toPathPart(sessionId)}`;
    const selection = { worker_id: workerId, resource_type: resourceType };
    const path = `/v1/sessions${one}${action}${method === 'POST' ? '' : toQuery(selection)}`;
    const effects = method === 'GET' ? 'none' : 'idempotent';
    const outcome = await ask({ method, path, form: 'outcome', effects, options, ...(method === 'POST' && { body: selection }) });
    return outcome as Outcome<ServedSessions>;
  };
  return {
    async create({ resourceType, workerId, config, name }, options = {}) {
      // With a worker of its own, a request that is sent again gives the session that the first one opened.
      const body = { resource_type: resourceType, worker_id: workerId ?? `worker_${crypto.randomUUID()}`, config, name };
      const outcome = await ask({ method: 'POST', path: '/v1/sessions', body, form: 'outcome', effects: 'idempotent', options });
      return outcome as Outcome<ServedSession>;
    },
    list: (selection = {}, options = {}) => several('GET', '', selection, options),
    refresh: (selection = {}, options = {}) => several('POST', '/refresh', selection, options),
    destroy: (selection, options = {}) => several('DELETE', '', selection, options),
  };
}
