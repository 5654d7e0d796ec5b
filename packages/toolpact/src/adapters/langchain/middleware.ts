import type { Outcome } from '../../outcome/index.ts';
import { isCarried } from '../frameworks/carried-arguments.ts';
import { type AdapterOptions, adapterOptions, type CallableToolbox, readAdapterOptions } from '../frameworks/host-tools.ts';
import { respellName } from '../frameworks/respell-name.ts';
import { answerLostCall } from './answer-lost-call.ts';
import { isControlFlow } from './control-flow.ts';
import type { LangchainCall, LangchainConfig, LangchainMessage } from './core.ts';
import { foreignOutcome, unreadableOutcome } from './failure.ts';
import { mendCalls } from './mend-calls.ts';
import { toToolMessage } from './message.ts';
import { isStopped } from './stop-on-repeat.ts';

/** How the middleware answers calls. */
export interface LangchainMiddlewareOptions extends AdapterOptions {
  /** Its name. An agent takes each only once, so a second toolbox of one agent needs another. @default 'toolpact' */
  readonly name?: string;
}

/** A middleware as `createAgent` takes it. */
export interface LangchainMiddleware {
  name: string;
  beforeModel: {
    canJumpTo: 'end'[];
    hook: (state: { messages: readonly object[] }) => { jumpTo: 'end' } | undefined;
  };
  afterModel: <TMessage extends object>(state: { messages: TMessage[] }) => Promise<{ messages: TMessage[] } | undefined>;
  wrapToolCall: <TRequest extends LangchainRequest, TAnswer>(
    request: TRequest,
    handler: (request: TRequest) => TAnswer | Promise<TAnswer>,
  ) => Promise<TAnswer>;
}

/** One call on its way to a tool. */
interface LangchainRequest {
  readonly toolCall: LangchainCall;
  readonly tool: unknown;
  readonly state?: unknown;
  readonly runtime?: Pick<LangchainConfig, 'signal' | 'writer'> | undefined;
}

/**
 * Creates a middleware that answers every call of an agent: calls whose arguments are no JSON (which end the run without a word otherwise), names in
 * any spelling, unknown names, and whatever the agent's other tools throw. Put it first among the middlewares.
 */
export function toMiddleware(toolbox: CallableToolbox, options: LangchainMiddlewareOptions = {}): LangchainMiddleware {
  const settings = readAdapterOptions('toMiddleware', toolbox, options, { ...adapterOptions, name: true });
  const listed = toolbox.list();
  const own = new Set(listed.map(({ providerName }) => providerName));
  return {
    name: settings.name ?? 'toolpact',
    beforeModel: {
      canJumpTo: ['end'],
      hook: ({ messages }) => (isStopped(messages) ? { jumpTo: 'end' } : undefined),
    },
    async afterModel({ messages }) {
      const last = messages.at(-1);
      const mended = last && (await mendCalls(last));
      return mended === last || mended === undefined ? undefined : { messages: [mended] };
    },
    async wrapToolCall(request, handler) {
      const { toolCall: call, tool, runtime, state } = request;
      const tell = async (outcome: Outcome): Promise<never> => (await toToolMessage(outcome, call, settings.dialect)) as never;
      // An unknown name may be the one under which the agent takes its structured response.
      const isOwn = tool === undefined ? respellName(call.name, toolbox) !== undefined : own.has(call.name);
      if (!isOwn && isCarried(call.args)) return tell(unreadableOutcome(toolbox, call));
      try {
        const answer = await handler(request);
        // Another middleware may bring the tool along; only names that no tool has are answered here.
        if (tool !== undefined || !isNotFound(answer, call)) return answer;
        const config = { ...runtime, state, toolCall: call, toolCallId: call.id };
        return (await answerLostCall(toolbox, settings, call, config)) as never;
      } catch (thrown) {
        if (isControlFlow(thrown) || runtime?.signal?.aborted === true) throw thrown;
        return tell(foreignOutcome(toolbox, thrown, call));
      }
    },
  };
}

/** Recognises an agent's own words for a name that it does not know: its answer has no other mark. */
function isNotFound(answer: unknown, { name }: LangchainCall): boolean {
  const { status, content } = (answer ?? {}) as Partial<LangchainMessage>;
  return status === 'error' && typeof content === 'string' && content.startsWith(`Error: ${name} is not a valid tool`);
}
