import type { GivenRoute } from '@toolpact/server';
import type { JsonObject } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import { lacks } from './answer-operation.ts';
import { create, notCreated, row } from './session-rows.ts';

/** Creates the rows that open sessions before their first call: one, several, or with a configuration that the operator has named. */
export function createInitRows(initConfigs: Readonly<Record<string, JsonObject>>): readonly GivenRoute[] {
  return [
    row('/api/v1/init/resource', 'init:resource', async (call) => {
      const { body } = call;
      const wrong = lacks(body, 'worker_id', 'resource_type');
      if (wrong !== undefined) return wrong;
      const created = await create(call, body.resource_type as string, body.init_config);
      if (!('session_id' in created)) return notCreated(created, 'Resource initialization failed');
      const { session_id, resource_type, status } = created;
      return { data: { session_id, resource_type, session_status: status, error: null }, sessionId: session_id };
    }),
    row('/api/v1/init/batch', 'init:batch', async (call) => {
      const { body } = call;
      const wrong = lacks(body, 'worker_id');
      if (wrong !== undefined) return wrong;
      const configs = isRecord(body.resource_configs) ? Object.entries(body.resource_configs) : [];
      const results: Record<string, JsonObject> = {};
      for (const [type, config] of configs) {
        const created = await create(call, type, isRecord(config) && isRecord(config.content) ? config.content : config);
        results[type] =
          'session_id' in created
            ? { status: 'success', session_id: created.session_id, session_status: created.status, error: null }
            : { status: 'error', ...toError(notCreated(created, '').data) };
      }
      const total = configs.length;
      const success_count = Object.values(results).filter(({ status }) => status === 'success').length;
      const data: JsonObject = { worker_id: body.worker_id as string, results, total, success_count };
      if (success_count === total) return { data };
      if (success_count === 0)
        return { data, failure: { status: 500, code: 'all_requests_failed', message: 'All resources failed to initialize' } };
      const message = `${total - success_count} out of ${total} resources failed`;
      return { data, failure: { status: 207, code: 'partial_failure', message } };
    }),
    row('/api/v1/init/from-config', 'init:from_config', async ({ body }) => {
      const wrong = lacks(body, 'worker_id', 'config_path');
      if (wrong !== undefined) return wrong;
      const config_path = body.config_path as string;
      // No file is read for a caller: it would be sent whatever lies on the disk of the server.
      const config = Object.hasOwn(initConfigs, config_path) ? initConfigs[config_path] : undefined;
      if (config === undefined) {
        const message = `Config file not found: ${config_path}`;
        return { data: { config_path }, failure: { status: 404, code: 'invalid_request_format', message } };
      }
      return { data: { config_loaded: config_path, config: override(config, body.override_params) } };
    }),
  ];
}

function toError({ session_id = null, session_status = 'error', error = null }: JsonObject): JsonObject {
  return { session_id, session_status, error };
}

/** Lays parameters over those that a configuration has. */
function override(config: JsonObject, params: unknown): JsonObject {
  if (!isRecord(params)) return config;
  const laid = Object.entries(config).map(([name, own]) => {
    const given = params[name] as JsonObject[string] | undefined;
    return [name, given === undefined ? own : isRecord(own) && isRecord(given) ? { ...own, ...given } : given];
  });
  return Object.fromEntries(laid) as JsonObject;
}
