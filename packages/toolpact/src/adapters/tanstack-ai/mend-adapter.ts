import { isSameCall } from '../frameworks/call-once.ts';
import { toCarried } from '../frameworks/carried-arguments.ts';
import { type AdapterOptions, answerHost, type CallableToolbox } from '../frameworks/host-tools.ts';
import { overlay } from '../frameworks/overlay.ts';
import { respellName, toSafeName } from '../frameworks/respell-name.ts';
import { textFor } from '../frameworks/tell-model.ts';
import { fieldsOf, listOf, textOf } from '../providers/read-answer.ts';
import { freeId } from '../providers/sent-calls.ts';

/** The part of a text adapter, such as `openaiText('gpt-5.5')`, that is used here: the stream of its model. */
export type TanstackAdapter = {
  readonly chatStream: (request: never) => AsyncIterable<object>;
};

/** The events of a model's stream that make up calls, and the one that ends it. */
interface Chunk {
  readonly type: string;
  readonly toolCallId?: string;
  readonly toolCallName?: string;
  readonly toolName?: string;
  readonly delta?: string;
  readonly args?: string;
  readonly input?: unknown;
  readonly finishReason?: unknown;
  readonly metadata?: { readonly providerExecuted?: boolean; readonly tanstack?: { readonly finishReason?: unknown } };
}

/** A call that the model has begun. */
interface OpenCall {
  readonly start: Chunk;
  /** Undefined as long as none of its arguments were streamed. */
  text?: string;
}

/** A whole call of a name that no tool has. */
interface LostCall {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  readonly chunks: readonly Chunk[];
}

/**
 * Stands before a text adapter and mends the calls of its model: names in another spelling, arguments that are no JSON object, calls that are sent
 * twice, two calls with one id. The toolbox answers calls of names that no tool has. Calls of other tools are left alone. The arguments of a call are
 * streamed in one piece, because they can only be judged as a whole.
 */
export function mendAdapter<TAdapter extends TanstackAdapter>(
  adapter: TAdapter,
  toolbox: CallableToolbox,
  options: AdapterOptions,
): TAdapter {
  const chatStream = (request: never): AsyncIterable<object> => {
    const { messages, tools } = fieldsOf(request);
    const others = listOf(tools).map(({ name }) => textOf(name));
    const ids = listOf(messages).flatMap(({ toolCalls }) => listOf(toolCalls).map(({ id }) => textOf(id)));
    return mendStream(adapter.chatStream(request) as AsyncIterable<Chunk>, others, new Set(ids), toolbox, options);
  };
  return overlay<TanstackAdapter>(adapter, { chatStream }) as TAdapter;
}

async function* mendStream(
  chunks: AsyncIterable<Chunk>,
  offered: readonly string[],
  takenIds: Set<string>,
  toolbox: CallableToolbox,
  options: AdapterOptions,
): AsyncGenerator<Chunk> {
  const own = new Set(toolbox.list().map(({ providerName }) => providerName));
  const others = new Set(offered.filter((name) => !own.has(name)));
  const isForeign = (start: Chunk): boolean => start.metadata?.providerExecuted === true || others.has(nameOf(start));
  const open: OpenCall[] = [];
  const made: { readonly id: string; readonly name: string; readonly args: string }[] = [];
  const lost = new Map<string, LostCall>();

  function close(call: OpenCall, end: Chunk): readonly Chunk[] {
    open.splice(open.indexOf(call), 1);
    const args = call.text ?? (end.input === undefined ? '' : JSON.stringify(end.input));
    const sent = { id: textOf(call.start.toolCallId), name: nameOf(call.start), args };
    if (made.some((before) => isSameCall(before, sent))) return [];
    made.push(sent);
    const id = freeId(sent.id || 'call', takenIds);
    takenIds.add(id);
    const known = respellName(sent.name, toolbox);
    const name = known ?? toSafeName(sent.name);
    // The end has no input: where the arguments are no JSON, adapters make one up.
    const whole = [
      { ...call.start, toolCallId: id, toolCallName: name, toolName: name },
      { type: 'TOOL_CALL_ARGS', toolCallId: id, delta: toCarried(args) },
      { ...end, toolCallId: id, toolCallName: name, toolName: name, input: undefined },
    ];
    if (known !== undefined) return whole;
    lost.set(id, { id, name: sent.name, args, chunks: whole });
    return [];
  }

  async function answer({ id, name, args, chunks: whole }: LostCall): Promise<readonly Chunk[]> {
    // The signal is aborted, so that no tool runs here: only the failure is wanted.
    const facts = { callId: id, turn: undefined, signal: AbortSignal.abort() };
    const outcome = await answerHost(toolbox, 'tanstack-ai', options, { name, args }, facts);
    const result = { result: textFor(outcome, options.dialect), state: 'output-error' };
    return whole.map((chunk) => (chunk.type === 'TOOL_CALL_END' ? { ...chunk, ...result } : chunk));
  }

  for await (const chunk of chunks) {
    const id = textOf(chunk.toolCallId);
    const withId = open.filter(({ start }) => start.toolCallId === id);
    const last = withId.at(-1);
    if (chunk.type === 'TOOL_CALL_START' && !isForeign(chunk)) open.push({ start: chunk });
    else if (chunk.type === 'TOOL_CALL_ARGS' && last !== undefined) last.text = chunk.args || (last.text ?? '') + textOf(chunk.delta);
    else if (chunk.type === 'TOOL_CALL_END' && withId[0] !== undefined) yield* close(withId[0], chunk);
    else {
      if (chunk.type === 'TOOL_CALL_RESULT') {
        // The model's own side has answered it.
        yield* lost.get(id)?.chunks ?? [];
        lost.delete(id);
      }
      if (chunk.type === 'RUN_FINISHED') {
        for (const call of [...open]) yield* close(call, { type: 'TOOL_CALL_END' });
        // Only the calls of such a turn are made by TanStack AI.
        const isToolTurn = (chunk.finishReason ?? chunk.metadata?.tanstack?.finishReason) === 'tool_calls';
        for (const call of lost.values()) yield* isToolTurn ? await answer(call) : call.chunks;
      }
      yield chunk;
    }
  }
}

function nameOf({ toolCallName, toolName }: Chunk): string {
  return toolCallName ?? toolName ?? '';
}
