import type { Resources, SessionInfo, StandardIssue, StandardSchemaV1 } from 'toolpact';
import { createToolbox, defineTool, fail, type JsonObject, type JsonValue, partial, type Toolbox } from 'toolpact';
import type { SessionFilter } from 'toolpact/internal';

/** All fields that requests about sessions may have; each request takes some of them. */
interface SessionInput {
  readonly worker_id?: string;
  readonly session_id?: string;
  readonly resource_type?: string;
  readonly resource_types?: readonly string[];
  /** For several types: the config of each, by type. */
  readonly config?: JsonObject;
  readonly name?: string;
}

interface Field {
  readonly schema: JsonObject;
  /** The text for a value that is not right. */
  readonly expected: string;
  readonly isRight: (value: unknown) => boolean;
}

/** Names an operation on sessions. */
export type SessionOperation = 'session:create' | 'session:list' | 'session:refresh' | 'session:destroy';

/** The operations on sessions, as tools: so every answer is an outcome, bounded in time, redacted and reported like any other. */
export type SessionToolbox = Pick<Toolbox, 'answer'>;

/** Creates the operations on the sessions of a tenant, which is that of the call. */
export function createSessionTools(resources: Resources): SessionToolbox {
  const filterOf = ({ worker_id, session_id, resource_type }: SessionInput, tenantId: string): SessionFilter => ({
    tenantId,
    ...(session_id !== undefined && { id: session_id }),
    ...(worker_id !== undefined && { worker: worker_id }),
    ...(resource_type !== undefined && { type: resource_type }),
  });

  function createOne(input: SessionInput, type: string, tenantId: string, config: JsonObject | undefined): ReturnType<Resources['create']> {
    const { worker_id: worker, name } = input;
    return resources.create({
      type,
      tenantId,
      ...(worker !== undefined && { worker }),
      ...(config !== undefined && { config }),
      ...(name !== undefined && { name }),
    });
  }

  const create = defineTool({
    name: 'session:create',
    description: 'Opens a session that lasts, or gives the one its worker has already.',
    ...taking('worker_id', 'resource_type', 'resource_types', 'config', 'name'),
    effects: 'idempotent',
    // Opening has a time of its own; its caller may stop waiting earlier.
    timeoutMs: 600_000,
    async run(input, { tenantId }) {
      const { resource_type, resource_types: types, config } = input;
      if (resource_type !== undefined) return toWire(await createOne(input, resource_type, tenantId, config));
      if (types === undefined || types.length === 0) {
        const issues = [{ path: ['resource_type'], problem: 'missing', message: 'is missing' }] as const;
        return fail('invalid_input', 'The request says no resource_type and no resource_types.', { issues, effect: 'none' });
      }
      const own = { ...input, worker_id: input.worker_id ?? `worker_${crypto.randomUUID()}` };
      const settled = await Promise.allSettled(
        types.map((type) => createOne(own, type, tenantId, config?.[type] as JsonObject | undefined)),
      );
      const sessions = settled.flatMap((one) => (one.status === 'fulfilled' ? [toWire(one.value)] : []));
      const failed = settled.flatMap((one, index) =>
        one.status === 'rejected' ? [{ index, id: types[index] ?? '', error: one.reason as unknown }] : [],
      );
      const data = { worker_id: own.worker_id, sessions };
      if (failed.length === 0) return data;
      if (sessions.length === 0) throw failed[0]?.error;
      return partial(data, failed, { total: types.length });
    },
  });
  const list = defineTool({
    name: 'session:list',
    description: 'Lists the sessions of a tenant.',
    ...taking('worker_id', 'session_id', 'resource_type'),
    effects: 'none',
    run: (input, { tenantId }) => toWireList(resources.list(filterOf(input, tenantId))),
  });
  const refresh = defineTool({
    name: 'session:refresh',
    description: 'Lets sessions live for their whole time again.',
    ...taking('worker_id', 'session_id', 'resource_type'),
    effects: 'idempotent',
    run: (input, { tenantId }) => found(input, resources.refresh(filterOf(input, tenantId))),
  });
  const destroy = defineTool({
    name: 'session:destroy',
    description: 'Ends one session, or those of a worker.',
    ...taking('worker_id', 'session_id', 'resource_type'),
    effects: 'idempotent',
    async run(input, { tenantId }) {
      const { session_id: id, worker_id: worker } = input;
      if (id === undefined && worker === undefined) {
        return fail('invalid_input', 'The request says neither session_id nor worker_id.', { effect: 'none' });
      }
      return found(
        input,
        await resources.destroy({ ...filterOf(input, tenantId), ...(id === undefined ? { worker: worker ?? '' } : { id }) }),
      );
    },
  });
  return createToolbox([create, list, refresh, destroy]);
}

/** Says that a session which was named is not there; a worker without sessions has simply none. */
function found({ session_id }: SessionInput, sessions: readonly SessionInfo[]) {
  if (session_id !== undefined && sessions.length === 0) return fail('not_found', `There is no session ${session_id}.`, { effect: 'none' });
  return toWireList(sessions);
}

function toWireList(sessions: readonly SessionInfo[]): { readonly total: number; readonly sessions: readonly JsonObject[] } {
  return { total: sessions.length, sessions: sessions.map(toWire) };
}

/** Writes a session in the names that travel. */
function toWire(session: SessionInfo | Awaited<ReturnType<Resources['create']>>): JsonObject {
  const { id, name, type, worker, status, temporary, shared, users, config, createdAt, lastUsedAt, expiresAt } = session;
  return {
    session_id: id,
    session_name: name,
    resource_type: type,
    worker_id: worker ?? null,
    status,
    session_status: status,
    auto_created: temporary,
    shared,
    users,
    config,
    created_at: createdAt,
    last_activity: lastUsedAt,
    expires_at: expiresAt ?? null,
    ...('created' in session && { created: session.created }),
  };
}

const textOf = (maxLength: number): Field => ({
  schema: { type: 'string', minLength: 1, maxLength },
  expected: `must be a text of 1 to ${maxLength} characters`,
  isRight: (value) => typeof value === 'string' && value.length > 0 && value.length <= maxLength,
});
const type = textOf(64);

const fields: Readonly<Record<keyof SessionInput, Field>> = {
  worker_id: textOf(256),
  session_id: textOf(256),
  resource_type: type,
  resource_types: {
    schema: { type: 'array', items: type.schema, maxItems: 100 },
    expected: 'must be an array of at most 100 names of resources',
    isRight: (value) => Array.isArray(value) && value.length <= 100 && value.every(type.isRight),
  },
  config: {
    schema: { type: 'object' },
    expected: 'must be an object',
    isRight: (value) => typeof value === 'object' && !Array.isArray(value),
  },
  name: textOf(256),
};

/** Creates the schema of a request with these fields. Null means absent, and other fields mean nothing, so that clients of any age may ask. */
function taking(...names: readonly (keyof SessionInput)[]): {
  readonly input: StandardSchemaV1<SessionInput, SessionInput>;
  readonly jsonSchema: { readonly input: JsonObject };
} {
  const validate = (value: unknown): { readonly issues: readonly StandardIssue[] } | { readonly value: SessionInput } => {
    const given = value as Readonly<Record<string, JsonValue | undefined>>;
    const sent = names.filter((name) => given[name] !== undefined && given[name] !== null);
    const issues = sent
      .filter((name) => !fields[name].isRight(given[name]))
      .map((name) => ({ message: fields[name].expected, path: [name] }));
    return issues.length > 0 ? { issues } : { value: Object.fromEntries(sent.map((name) => [name, given[name]])) };
  };
  return {
    input: { '~standard': { version: 1, vendor: 'toolpact', validate } },
    jsonSchema: { input: { type: 'object', properties: Object.fromEntries(names.map((name) => [name, fields[name].schema])) } },
  };
}
