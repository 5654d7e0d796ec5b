import { toCarried } from '../frameworks/carried-arguments.ts';
import { type AdapterOptions, adapterOptions, type CallableToolbox, readAdapterOptions, standInFor } from '../frameworks/host-tools.ts';
import { overlay } from '../frameworks/overlay.ts';
import { toSafeName } from '../frameworks/respell-name.ts';
import { type StrandsTool, toStrandsTool } from './tool.ts';

/** A plugin for `plugins` of a Strands agent. */
export interface StrandsPlugin {
  readonly name: string;
  readonly initAgent: (agent: StrandsAgent) => Promise<void>;
}

/** The part of an agent that gives access to its stages. */
export interface StrandsAgent {
  readonly addMiddleware: (phase: never, change: never) => unknown;
}

/** The stages of `@strands-agents/sdk`. They are compared by identity, so they must be the SDK's own. */
export interface StrandsStages {
  readonly ExecuteToolStage: { readonly Input: object };
  readonly InvokeModelStage: { readonly Input: object };
}

/** How the plugin answers calls. */
export interface StrandsPluginOptions extends AdapterOptions {
  /** The module `@strands-agents/sdk`, where it cannot be imported by its name: in a bundle, or beside a second copy. */
  readonly sdk?: StrandsStages;
  /** The plugin's name. Strands takes each only once, so a second toolbox of one agent needs another. @default 'toolpact' */
  readonly name?: string;
}

/**
 * Creates a plugin for the calls that Strands would not pass to a tool: names that no tool has, spelled in another
 * way or wrong, and arguments that are malformed (these would end the run), null or a list. Calls of other tools are left alone. The
 * arguments of a call are streamed in one piece, because they can only be judged as a whole.
 */
export function toPlugin(toolbox: CallableToolbox, options: StrandsPluginOptions = {}): StrandsPlugin {
  const settings = readAdapterOptions('toPlugin', toolbox, options, { ...adapterOptions, sdk: true, name: true });
  const { sdk, name: pluginName = 'toolpact' } = settings;
  const own = new Set(toolbox.list().map(({ providerName }) => providerName));
  const toStandIn = (name: string): StrandsTool => toStrandsTool(standInFor(name, toolbox, 'strands', settings), settings.dialect);
  return {
    name: pluginName,
    async initAgent(agent) {
      const { ExecuteToolStage, InvokeModelStage } = sdk ?? ((await import(/* @vite-ignore */ moduleName)) as StrandsStages);
      const findTool = (context: ToolCall): ToolCall => ({ ...context, tool: context.tool ?? toStandIn(context.toolUse.name) });
      const mendCalls = (context: ModelCall): ModelCall => {
        const others = new Set(context.toolSpecs?.map(({ name }) => name).filter((name) => !own.has(name)));
        return { ...context, model: mendModel(context.model, (name) => !others.has(name)) };
      };
      agent.addMiddleware(ExecuteToolStage.Input as never, findTool as never);
      agent.addMiddleware(InvokeModelStage.Input as never, mendCalls as never);
    },
  };
}

/** In a variable, so that compilers and bundlers do not look for what may not be there. */
const moduleName = '@strands-agents/sdk' as string;

interface ToolCall {
  readonly tool: unknown;
  readonly toolUse: { readonly name: string };
}

interface ModelCall {
  readonly model: Model;
  readonly toolSpecs?: readonly { readonly name: string }[];
}

interface Model {
  readonly stream: (...args: unknown[]) => AsyncIterable<StreamEvent>;
}

/** The events of a model's stream that make up calls. */
interface StreamEvent {
  readonly type: string;
  readonly start?: { readonly type: string; readonly name: string };
  readonly delta?: { readonly type: string; readonly input?: string };
}

/** Stands before a model and changes what it streams; all else is the model's own. */
function mendModel(model: Model, takes: (name: string) => boolean): Model {
  const stream = async function* (...args: unknown[]): AsyncGenerator<StreamEvent> {
    let held: string | undefined;
    for await (const sent of model.stream(...args)) {
      const event = withSafeName(sent);
      if (event.start?.type === 'toolUseStart' && takes(event.start.name)) held = '';
      if (held !== undefined && event.delta?.type === 'toolUseInputDelta') {
        held += event.delta.input ?? '';
        continue;
      }
      if (held !== undefined && event.type === 'modelContentBlockStopEvent') {
        yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: toCarried(held) } };
        held = undefined;
      }
      yield event;
    }
  };
  // `streamAggregated` must use the mended stream too.
  return overlay(model, { stream }, ['streamAggregated']);
}

/** Strands counts calls by name in a plain object. */
function withSafeName(event: StreamEvent): StreamEvent {
  const { start } = event;
  return start?.type === 'toolUseStart' && typeof start.name === 'string'
    ? { ...event, start: { ...start, name: toSafeName(start.name) } }
    : event;
}
