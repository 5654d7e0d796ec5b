import { isObject } from '../../json/index.ts';
import { isReadable, toCarried } from '../frameworks/carried-arguments.ts';
import { type AdapterOptions, adapterOptions, answerHost, type CallableToolbox, readAdapterOptions } from '../frameworks/host-tools.ts';
import { overlay } from '../frameworks/overlay.ts';
import { respellName, toSafeName } from '../frameworks/respell-name.ts';
import { stoppedText, stopsRun } from '../frameworks/stops-run.ts';
import { createCallIds } from './call-ids.ts';
import { createDropRepeats, type StreamPart } from './drop-repeats.ts';

/** A processor for `inputProcessors` of a Mastra agent. */
export interface MastraProcessor {
  readonly id: string;
  readonly processInputStep: (step: MastraStep) => { model: never } | undefined;
}

/** The part of a step that is read before the model is called. */
export interface MastraStep {
  readonly model: unknown;
  readonly tools?: Record<string, unknown> | undefined;
  readonly steps?: readonly { readonly toolResults?: readonly unknown[] }[] | undefined;
  readonly abort?: ((reason?: string) => never) | undefined;
}

/**
 * Creates a processor for the calls that Mastra would change or lose on their way to a tool: names in another spelling find their tool,
 * arguments that are malformed, null or a list are reported as such, an id that another call has gets a number, a call that was sent twice
 * is made once, and a name that no tool has becomes an outcome too (Mastra itself reports it to the model). Calls of other tools are left alone but for that.
 */
export function toInputProcessor(toolbox: CallableToolbox, options: AdapterOptions = {}): MastraProcessor {
  const settings = readAdapterOptions('toInputProcessor', toolbox, options, adapterOptions);
  const listed = toolbox.list();
  const own = new Set(listed.map(({ providerName }) => providerName));
  return {
    id: 'toolpact',
    processInputStep({ model, tools = {}, steps = [], abort }) {
      if (steps.at(-1)?.toolResults?.some(isStop) === true) abort?.(stoppedText);
      if (!isModel(model)) return undefined;
      const nameOf = (asked: string): string | undefined => (isOffered(asked, tools) ? asked : respellName(asked, toolbox));
      const isSound = (name: string, input: string): boolean => !own.has(name) || isReadable(input);
      const createMend = (request: unknown): Mend => {
        const ids = createCallIds(request);
        const streamed = new Map<string, { readonly name: string; text: string }>();
        const toParts = createDropRepeats();
        const mendPart = async (part: StreamPart): Promise<StreamPart | undefined> => {
          if (part.type === 'tool-input-start' && part.providerExecuted !== true) {
            const toolName = nameOf(part.toolName) ?? toSafeName(part.toolName);
            streamed.set(part.id, { name: toolName, text: '' });
            return { ...part, id: ids.begin(part.id), toolName };
          }
          if (part.type === 'tool-input-delta') {
            const call = streamed.get(part.id);
            if (call !== undefined) call.text += part.delta;
            return { ...part, id: ids.of(part.id) };
          }
          if (part.type === 'tool-input-end') {
            const { name, text } = streamed.get(part.id) ?? { name: '', text: '' };
            // Drop the end of arguments that cannot be read: Mastra would call the tool without arguments. The call itself still follows.
            return isSound(name, text) ? { ...part, id: ids.of(part.id) } : undefined;
          }
          if (part.type !== 'tool-call' || part.providerExecuted === true) return part;
          const toolCallId = ids.end(part.toolCallId);
          const toolName = nameOf(part.toolName);
          if (toolName !== undefined) {
            return { ...part, toolCallId, toolName, input: own.has(toolName) ? toCarried(part.input) : part.input };
          }
          const { toolName: name, input: args } = part;
          // A call that Mastra refuses must not run, whatever the toolbox makes of its name.
          await answerHost(
            toolbox,
            'mastra',
            settings,
            { name, args },
            { callId: toolCallId, turn: undefined, signal: AbortSignal.abort(), host: part },
          );
          return { ...part, toolCallId, toolName: toSafeName(name) };
        };
        return async (part) => {
          const mended: (StreamPart | undefined)[] = [];
          for (const one of toParts(part)) mended.push(await mendPart(one));
          return mended.filter((one) => one !== undefined);
        };
      };
      return { model: mendModel(model, createMend) as never };
    },
  };
}

/** Recognises a result that stops the run; Mastra keeps it as the outcome, or as JSON for the prompt. */
function isStop(result: unknown): boolean {
  const { output } = result as { readonly output?: unknown };
  const { value } = (output ?? {}) as { readonly value?: unknown };
  return stopsRun(output) || stopsRun(value);
}

interface Model {
  readonly doStream: (options: unknown) => Promise<{ readonly stream: ReadableStream<StreamPart> }>;
  readonly doGenerate: (options: unknown) => Promise<{ readonly stream?: ReadableStream<StreamPart> }>;
}

function isModel(model: unknown): model is Model {
  return isObject(model) && 'doStream' in model && 'doGenerate' in model;
}

/** Returns what becomes of a part of a stream. */
type Mend = (part: StreamPart) => Promise<readonly StreamPart[]>;

/** Stands before a model and changes what it streams; all else is the model's own. */
function mendModel(model: Model, createMend: (request: unknown) => Mend): Model {
  const mending = (ask: Model['doStream'] | Model['doGenerate']) => async (options: unknown) => {
    const answer = await ask.call(model, options);
    if (answer.stream === undefined) return answer;
    const mend = createMend(options);
    const transform = async (part: StreamPart, sink: TransformStreamDefaultController<StreamPart>): Promise<void> => {
      for (const mended of await mend(part)) sink.enqueue(mended);
    };
    return { ...answer, stream: answer.stream.pipeThrough(new TransformStream({ transform })) };
  };
  return overlay(model, { doStream: mending(model.doStream) as Model['doStream'], doGenerate: mending(model.doGenerate) });
}

/** Checks whether Mastra would find a tool: by its key, by its id, or as a provider's own. */
function isOffered(name: string, tools: Record<string, unknown>): boolean {
  if (Object.hasOwn(tools, name)) return true;
  return Object.values(tools).some((tool) => {
    const id = isObject(tool) && 'id' in tool ? tool.id : undefined;
    return typeof id === 'string' && (id === name || id.slice(id.indexOf('.') + 1) === name);
  });
}
