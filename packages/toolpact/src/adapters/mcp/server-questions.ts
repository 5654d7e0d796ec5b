import { isObject } from '../../json/index.ts';
import { ToolFailure } from '../../outcome/index.ts';
import { maxTimerMs, type StopTimer, systemClock } from '../../time/index.ts';
import type { McpRequestOptions } from './client.ts';

/** Stops the time of a call until the returned function is called. */
type Pause = () => () => void;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: unknown; readonly inputResponses?: unknown; readonly requestState?: unknown };
  readonly result?: { readonly resultType?: unknown; readonly requestState?: unknown };
}

/** The part of a transport through which all messages pass, in both SDKs. */
interface Transport {
  onmessage?: (message: Message, ...extra: readonly unknown[]) => void;
  send: (message: Message, ...extra: readonly unknown[]) => Promise<void>;
}

/** The longest time for an answer, so that no question takes the deadline of a call away. */
const longestQuestionMs = 3_600_000;

/** The calls under way on each connection. */
const connections = new WeakMap<Transport, Set<Pause>>();

/**
 * Creates a request during which the server may ask a person, who may think for longer than a tool may run: the deadline of the call and the
 * silence of the server are counted again when the client has answered, or after an hour. The SDKs count on, so the silence is watched here.
 */
export async function requestWithQuestions(
  client: object,
  given: McpRequestOptions,
  request: (options: McpRequestOptions) => Promise<unknown> | undefined,
): Promise<unknown> {
  const { pauseDeadline, ...options } = given;
  const { transport } = client as { readonly transport?: unknown };
  if (!isTransport(transport) || pauseDeadline === undefined) return request(given);
  const silenceMs = options.timeout;
  const silence = new AbortController();
  let stopTimer: StopTimer | undefined;
  let questions = 0;
  let isOver = false;
  const listen = (): void => {
    stopTimer?.();
    if (questions === 0 && !isOver) stopTimer = systemClock.after(silenceMs, () => silence.abort());
  };
  const pause: Pause = () => {
    questions += 1;
    stopTimer?.();
    const goOn = pauseDeadline();
    return () => {
      goOn();
      questions -= 1;
      listen();
    };
  };
  const calls = callsOn(transport);
  calls.add(pause);
  listen();
  try {
    return await request({
      ...options,
      timeout: maxTimerMs,
      signal: AbortSignal.any([silence.signal, ...(options.signal === undefined ? [] : [options.signal])]),
      onprogress(progress) {
        listen();
        options.onprogress?.(progress);
      },
    });
  } catch (thrown) {
    if (!silence.signal.aborted) throw thrown;
    throw new ToolFailure('timeout', `The server said nothing for ${silenceMs / 1000} s.`, { cause: thrown });
  } finally {
    isOver = true;
    stopTimer?.();
    calls.delete(pause);
  }
}

function isTransport(transport: unknown): transport is Transport {
  return isObject(transport) && typeof (transport as Partial<Transport>).send === 'function';
}

/**
 * Returns the calls under way on a connection, and pauses them from each question of its server to its answer. A question does not say which call it
 * belongs to, so it pauses them all.
 */
function callsOn(transport: Transport): Set<Pause> {
  const known = connections.get(transport);
  if (known !== undefined) return known;
  const calls = new Set<Pause>();
  connections.set(transport, calls);
  const open = new Map<unknown, () => void>();
  const answer = (question: unknown): void => {
    open.get(question)?.();
    open.delete(question);
  };
  const ask = (question: unknown): void => {
    answer(question);
    const goOn = [...calls].map((pause) => pause());
    const stopTimer = systemClock.after(longestQuestionMs, () => answer(question), { background: true });
    open.set(question, () => {
      stopTimer();
      for (const one of goOn) one();
    });
  };
  const { onmessage, send } = transport;
  transport.onmessage = (message, ...extra) => {
    const { method, id, params, result } = message;
    if (method === 'elicitation/create') ask(id);
    if (method === 'notifications/cancelled') answer(params?.requestId);
    // The stateless era ends the request with the question; the client sends it again with the answer.
    if (result?.resultType === 'input_required') ask(stateOf(result));
    onmessage?.call(transport, message, ...extra);
  };
  transport.send = (message, ...extra) => {
    const { method, id, params } = message;
    if (method === undefined) answer(id);
    if (params?.inputResponses !== undefined) answer(stateOf(params));
    return send.call(transport, message, ...extra);
  };
  return calls;
}

/** The name of a question that has no id of its own. */
function stateOf({ requestState }: { readonly requestState?: unknown }): string {
  return `state ${String(requestState)}`;
}
