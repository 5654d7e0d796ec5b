import type { CallContext } from '../../../core/contract/index.ts';
import type { Issue } from '../../../core/outcome/index.ts';
import type { Gate } from '../request/gate.ts';
import { type Admitted, type ReadyCall, readyCall } from '../request/make-call.ts';
import type { ReadJson } from '../request/read-json.ts';
import type { Answer } from '../request/request-head.ts';

/** One action in the request form of older agents: names in snake_case, times in seconds. */
export interface Execution {
  readonly action: string;
  readonly params?: unknown;
  readonly timeout?: number;
  readonly message_id?: string;
  readonly worker_id?: string;
  readonly session_id?: string;
}

/** Reads `{ worker_id, action, params, timeout, message_id, session_id, trace_id, … }`; other fields of the form are taken and mean nothing. */
export function readExecution(gate: Gate, admitted: Admitted, read: ReadJson): ReadyCall | Answer {
  const { asked } = admitted;
  if (!('value' in read)) return gate.refuse(asked, read.kind, read.message, read.options);
  const issues = checkExecution(read.value);
  if (issues.length > 0) {
    return gate.refuse(asked, 'invalid_input', `The request is wrong: ${issues.map(({ message }) => message).join('; ')}.`, { issues });
  }
  const execution = read.value as Execution;
  return readyCall(gate, admitted, execution.action, execution.params ?? {}, contextOfExecution(execution), execution);
}

/** Tells what is wrong with an action. */
export function checkExecution(value: unknown, at: readonly (string | number)[] = []): Issue[] {
  if (!isRecord(value)) return [{ path: at, problem: 'type', message: 'it must be a JSON object', expected: 'object' } as Issue];
  const { action, params, timeout, message_id, worker_id, session_id } = value;
  const issues: Issue[] = [];
  const find = (field: string, problem: Issue['problem'], message: string): void =>
    void issues.push({ path: [...at, field], problem, message });
  if (action === undefined || action === null) find('action', 'missing', 'action is missing');
  else if (typeof action !== 'string' || action === '') find('action', 'type', 'action must be a text');
  if (params !== undefined && params !== null && !isRecord(params)) find('params', 'type', 'params must be an object');
  if (timeout !== undefined && timeout !== null && !(typeof timeout === 'number' && timeout > 0)) {
    find('timeout', 'type', 'timeout must be seconds above 0');
  }
  for (const [name, text] of Object.entries({ message_id, worker_id, session_id })) {
    if (text !== undefined && text !== null && (typeof text !== 'string' || text.length > 512))
      find(name, 'type', `${name} must be a text`);
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

/** Tells whether a value is an object with fields. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
