import type { CallContext, Issue } from 'toolpact';
import { isRecord } from 'toolpact/internal';
import type { CallFacts } from '../request/make-call.ts';
import type { ServedToolbox } from '../server-options.ts';

/** One action in the request form of older agents: names in snake_case, times in seconds. */
export interface Execution {
  readonly action: string;
  readonly params?: Readonly<Record<string, unknown>> | null;
  readonly timeout?: number | null;
  readonly message_id?: string | null;
  readonly worker_id?: string | null;
  readonly session_id?: string | null;
  readonly trace_id?: string | null;
}

type Catalogue = Pick<ServedToolbox, 'resolveName' | 'list'>;

/** Gives what is wrong with an action. */
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

/** Gives what is wrong with the fields that an action and a whole batch have. */
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

/** Gives what an action says about its call. Who asks is not among it. */
export function contextOfExecution({ timeout, message_id, worker_id, session_id }: Execution): CallContext {
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

/** Takes the ids that older agents put among the parameters out of them, unless the tool has parameters of these names. */
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
