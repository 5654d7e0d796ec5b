import type { CallFacts, RouteRequest, RouteServer } from '@toolpact/server';
import type { CallContext, Issue, JsonObject } from 'toolpact';
import { isRecord, peek } from 'toolpact/internal';
import type { RouteAnswer } from './answer-operation.ts';

/** One action in the request form of the origin: names in snake_case, times in seconds. */
export interface Execution {
  readonly action: string;
  readonly params?: Readonly<Record<string, unknown>> | null;
  readonly timeout?: number | null;
  readonly message_id?: string | null;
  readonly worker_id?: string | null;
  readonly session_id?: string | null;
  readonly trace_id?: string | null;
}

type Catalogue = Pick<RouteServer['toolbox'], 'resolveName' | 'list'>;

const text: JsonObject = { type: 'string' };

/** The JSON Schema of one action. */
export const executionSchema: JsonObject = {
  type: 'object',
  properties: {
    action: text,
    params: { type: 'object' },
    timeout: { type: 'number', exclusiveMinimum: 0, description: 'Seconds for the call, at most what the server allows.' },
    message_id: text,
    worker_id: text,
    session_id: text,
    trace_id: text,
  },
  required: ['action'],
};

/** Refuses a request that is no action. */
export function refuseExecution({ value }: RouteRequest, server: RouteServer): RouteAnswer | undefined {
  const issues = checkExecution(value);
  if (issues.length === 0) return undefined;
  const message = `The request is wrong: ${issues.map((issue) => issue.message).join('; ')}.`;
  const malformed = issues.some(({ path: [field], problem }) => field === undefined || (field === 'action' && problem !== 'missing'));
  return server.refuse('invalid_input', message, { issues, malformed, ...factsOf(value) });
}

/** Reads the tool and the trace id of a request that is refused. */
function factsOf(value: unknown): { readonly tool?: string; readonly traceId?: string } {
  if (!isRecord(value)) return {};
  const { action, trace_id = peek(value.params, 'trace_id') } = value;
  return {
    ...(typeof action === 'string' && { tool: action.slice(0, 64) }),
    ...(typeof trace_id === 'string' && trace_id !== '' && { traceId: trace_id.slice(0, 512) }),
  };
}

/** Returns what is wrong with an action. */
export function checkExecution(value: unknown, at: readonly (string | number)[] = []): Issue[] {
  if (!isRecord(value)) return [{ path: at, problem: 'type', message: 'it must be a JSON object', expected: 'object' } as Issue];
  const { action, params } = value;
  const issues: Issue[] = [];
  const find = (field: string, problem: Issue['problem'], message: string): void =>
    void issues.push({ path: [...at, field], problem, message });
  if (action === undefined || action === null) find('action', 'missing', 'action is missing');
  else if (typeof action !== 'string' || action === '') find('action', 'type', 'action must be a text');
  if (params !== undefined && params !== null && !isRecord(params)) find('params', 'type', 'params must be an object');
  return [...issues, ...checkFields(value, at)];
}

/** Returns what is wrong with the fields that an action and a whole batch have. */
export function checkFields(
  { timeout, message_id, worker_id, session_id }: Readonly<Record<string, unknown>>,
  at: readonly (string | number)[],
): Issue[] {
  const issues: Issue[] = [];
  const find = (field: string, message: string): void => void issues.push({ path: [...at, field], problem: 'type', message });
  if (timeout !== undefined && timeout !== null && !(typeof timeout === 'number' && timeout > 0)) {
    find('timeout', 'timeout must be seconds above 0');
  }
  for (const [name, text] of Object.entries({ message_id, worker_id, session_id })) {
    if (text !== undefined && text !== null && (typeof text !== 'string' || text.length > 512)) find(name, `${name} must be a text`);
  }
  return issues;
}

/** Returns what an action says about its call. Who asks is not among it. */
export function contextOfExecution({ timeout, message_id, worker_id, session_id }: Partial<Execution>): CallContext {
  return {
    ...(typeof timeout === 'number' && { timeoutMs: timeout * 1000 }),
    ...(typeof message_id === 'string' && { callId: message_id }),
    ...(typeof worker_id === 'string' && { agentName: worker_id, workerId: worker_id }),
    ...(typeof session_id === 'string' && { sessionId: session_id }),
  };
}

/** Reads an action that was checked as a call. */
export function readExecution(given: Execution, catalogue: Catalogue): CallFacts {
  const execution = takeIds(given, catalogue);
  return { name: execution.action, args: execution.params ?? {}, context: contextOfExecution(execution), body: execution };
}

const idFields = ['trace_id', 'session_id'] as const;

/** Takes the ids that clients of the origin put among the parameters out of them, unless the tool has parameters of these names. */
export function takeIds(execution: Execution, catalogue: Catalogue): Execution {
  const { params, action } = execution;
  const found = idFields.filter((field) => typeof params?.[field] === 'string');
  if (found.length === 0) return execution;
  const name = catalogue.resolveName(action);
  const properties = catalogue.list().find((tool) => tool.name === name)?.inputSchema.properties;
  const rest: Record<string, unknown> = { ...params };
  const ids: Record<string, unknown> = {};
  for (const field of found) {
    ids[field] = execution[field] ?? params?.[field];
    if (!(isRecord(properties) && Object.hasOwn(properties, field))) delete rest[field];
  }
  return { ...execution, ...ids, params: rest };
}
