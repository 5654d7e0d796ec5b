import { type AdapterOptions, adapterOptions, type CallableToolbox, readAdapterOptions, standInFor } from '../frameworks/host-tools.ts';
import { respellName, toSafeName } from '../frameworks/respell-name.ts';
import { stoppedText } from '../frameworks/stops-run.ts';
import { type GenkitCall, type GenkitTool, toGenkitTool } from './tool.ts';

/** A middleware for `use` of a generation. */
export interface GenkitMiddleware {
  readonly name: string;
  /** Called once per generation. */
  readonly instantiate: () => GenkitHooks;
}

/** Hooks of a middleware in one generation. */
export interface GenkitHooks {
  readonly tools: readonly GenkitTool[];
  readonly generate: (turn: unknown, context: GenkitCall, next: Next<unknown, unknown>) => Promise<never>;
  readonly model: (request: GenkitRequest, context: GenkitCall, next: Next<GenkitRequest, GenkitResponse>) => Promise<never>;
  readonly tool: (part: GenkitToolPart, context: GenkitCall, next: Next<GenkitToolPart, unknown>) => Promise<never>;
}

interface GenkitRequest {
  readonly messages?: readonly { readonly role: string; readonly content: readonly { readonly metadata?: unknown }[] }[] | undefined;
  readonly tools?: readonly { readonly name: string }[] | undefined;
}
interface GenkitResponse {
  readonly message?: { readonly content: readonly Partial<GenkitToolPart>[] } | undefined;
}
interface GenkitToolPart {
  readonly toolRequest: { readonly name: string; readonly ref?: string | undefined };
}
type Next<TRequest, TResponse> = (request: TRequest, context: GenkitCall) => Promise<TResponse>;

/**
 * Creates a middleware that passes calls of unknown names to the toolbox, or to the tool that is spelled in another way; without it
 * Genkit ends the generation. It also gives every tool the id of its call, its turn, its generation and the caller's abort signal, which Genkit does not. Let it be the first
 * in `use`: it plays a turn again with what the model said, which a middleware that repeats failed turns should not see.
 */
export function toMiddleware(toolbox: CallableToolbox, options: AdapterOptions = {}): GenkitMiddleware {
  const settings = readAdapterOptions('toMiddleware', toolbox, options, adapterOptions);
  const toStandIn = (name: string): GenkitTool => toGenkitTool(standInFor(name, toolbox, 'genkit', settings), settings.dialect);
  made += 1;
  return { name: `toolpact-${made}`, instantiate: () => createHooks(toStandIn, toolbox) };
}

/** Genkit knows a middleware by its name alone, so each has its own. */
let made = 0;

function createHooks(toStandIn: (name: string) => GenkitTool, toolbox: CallableToolbox): GenkitHooks {
  // A turn collects its tools before it asks the model. So a turn with lost calls is left and played again with tools that take them.
  const again = new Error('the turn is played again');
  let tools: readonly GenkitTool[] = [];
  let said: GenkitResponse | undefined;
  let signal: AbortSignal | undefined;
  let isAgain = false;
  let answer = {};
  const generation = {};
  return {
    get tools() {
      return tools;
    },
    async generate(turn, context, next) {
      signal = context.abortSignal;
      try {
        return (await next(turn, context)) as never;
      } catch (error) {
        if (error !== again) throw error;
        isAgain = true;
        return (await next(turn, context)) as never;
      }
    },
    async model(request, context, next) {
      answer = {};
      if (isAgain) {
        isAgain = false;
        tools = [];
        return said as never;
      }
      if (isStopped(request)) return { message: { role: 'model', content: [{ text: stoppedText }] }, finishReason: 'stop' } as never;
      const offered = new Set(request.tools?.map(({ name }) => name));
      // A call that interrupts is restarted in a generation that knows only the tools it is given, so it must bear the name of one.
      const toKnown = (name: string): string => (offered.has(name) ? name : (respellName(name, toolbox) ?? toPlainName(name)));
      const response = withNames(await next(request, context), toKnown);
      const lost = namesIn(response).filter((name) => !offered.has(name));
      if (lost.length === 0) return response as never;
      said = response;
      tools = [...new Set(lost)].map(toStandIn);
      throw again;
    },
    async tool(part, context, next) {
      const { toolRequest } = part;
      return (await next(part, {
        ...context,
        toolRequest,
        generation,
        turn: answer,
        ...(signal !== undefined && { abortSignal: signal }),
      })) as never;
    },
  };
}

/** Recognises a turn after a call that the repeat breaker stopped. */
function isStopped({ messages }: GenkitRequest): boolean {
  const last = messages?.at(-1);
  if (last?.role !== 'tool') return false;
  return last.content.some(({ metadata }) => (metadata as { toolpact?: { stop?: unknown } } | undefined)?.toolpact?.stop === true);
}

function namesIn({ message }: GenkitResponse): string[] {
  return (message?.content ?? []).flatMap(({ toolRequest }) => (toolRequest === undefined ? [] : [toolRequest.name]));
}

/** Genkit takes a slash for the end of a plugin's name, and would look for what comes after it. */
function toPlainName(name: string): string {
  return toSafeName(name.replaceAll('/', '_'));
}

function withNames(response: GenkitResponse, rename: (name: string) => string): GenkitResponse {
  if (namesIn(response).every((name) => name === rename(name))) return response;
  const content = response.message?.content.map((part) => {
    const { toolRequest } = part;
    return toolRequest === undefined ? part : { ...part, toolRequest: { ...toolRequest, name: rename(toolRequest.name) } };
  });
  return { ...response, message: { ...response.message, content: content ?? [] } };
}
