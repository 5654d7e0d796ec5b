import { gemini } from '../../dialects/index.ts';
import { ToolpactError } from '../../outcome/index.ts';
import {
  type AdapterOptions,
  adapterOptions,
  type CallableToolbox,
  type HostTool,
  hostTools,
  readAdapterOptions,
  standInFor,
} from '../frameworks/host-tools.ts';
import { stopsRun } from '../frameworks/stops-run.ts';
import { envelopeWithNotes } from '../frameworks/tell-model.ts';
import { lowerTool } from '../providers/lower-tool.ts';
import type { AdkContext, AdkDeclaration, AdkRequest, AdkResponse } from './shapes.ts';

export type { AdapterOptions } from '../frameworks/host-tools.ts';
export { type ContainAgentOptions, containAgent } from './contain-agent.ts';

/** ADK knows its tools by this mark, not by their class. */
const mark = Symbol.for('google.adk.baseTool');

/** A tool as ADK takes it: all that its `BaseTool` has. */
export interface AdkTool {
  readonly name: string;
  readonly description: string;
  readonly isLongRunning: boolean;
  readonly _getDeclaration: () => AdkDeclaration;
  readonly runAsync: (request: { readonly args: unknown; readonly toolContext: AdkContext }) => Promise<AdkResponse>;
  readonly processLlmRequest: (request: { readonly llmRequest: AdkRequest }) => Promise<void>;
  readonly checkRequireConfirmation: () => Promise<boolean>;
}

/**
 * Returns the tools of a toolbox for an ADK agent: `new LlmAgent({ tools: toTools(toolbox), beforeModelCallback: toBeforeModelCallback(toolbox) })`.
 * ADK's control flow (confirmation, credentials, transfer) is written on its context, which a handler reaches through
 * `options.context: (host) => ({ app: host })`; there is nothing a handler could throw that ADK would not take for a failure.
 * The type is the one that the place asks for, because ADK's own cannot be named without it.
 */
export function toTools<TTool extends object = AdkTool>(toolbox: CallableToolbox, options: AdapterOptions = {}): TTool[] {
  const settings = readAdapterOptions('toTools', toolbox, options, adapterOptions);
  return hostTools(toolbox, 'adk', settings).map((tool) => toTool(tool, settings)) as object[] as TTool[];
}

/**
 * Creates a callback for `beforeModelCallback` that passes calls of unknown or misspelt names to the toolbox.
 * Without it ADK leaves them unanswered, together with all later calls of that turn, and asks the model again, up to 500 times.
 */
export function toBeforeModelCallback(
  toolbox: CallableToolbox,
  options: AdapterOptions = {},
): (call: { readonly request: AdkRequest }) => undefined {
  const settings = readAdapterOptions('toBeforeModelCallback', toolbox, options, adapterOptions);
  const toStandIn = (name: string): AdkTool => toTool(standInFor(name, toolbox, 'adk', settings), settings);
  return ({ request }) => {
    // All tools are registered by now: a lookup of another name is the lookup of a call.
    request.toolsDict = new Proxy(request.toolsDict, {
      has: (_tools, name) => typeof name === 'string',
      get: (tools, name) => (typeof name !== 'string' ? undefined : Object.hasOwn(tools, name) ? tools[name] : toStandIn(name)),
    });
    return undefined;
  };
}

function toTool(host: HostTool, { dialect }: AdapterOptions): AdkTool {
  const { name, description, call } = host;
  const declaration: AdkDeclaration = { name, description, parametersJsonSchema: lowerTool(host, 'gemini') };
  const tool: AdkTool = {
    name,
    description,
    isLongRunning: false,
    _getDeclaration: () => declaration,
    runAsync: async ({ args, toolContext }) => {
      const { functionCallId: callId, abortSignal: signal } = toolContext;
      const facts = { callId, run: toolContext.invocationId, turn: answerOf(toolContext), signal, host: toolContext };
      const outcome = await call(args, facts);
      // ADK then takes the answer of the tool for the last word of the run.
      if (stopsRun(outcome) && toolContext.actions !== undefined) toolContext.actions.skipSummarization = true;
      const { response } = gemini.encode(outcome, { strict: true, name }).functionResponse;
      return dialect === undefined ? response : envelopeWithNotes(outcome, dialect);
    },
    processLlmRequest: async ({ llmRequest }) => {
      if (Object.hasOwn(llmRequest.toolsDict, name))
        throw new ToolpactError('duplicate_name', `two tools are named "${name}"`, { tool: name });
      llmRequest.toolsDict[name] = tool;
      llmRequest.config ??= {};
      llmRequest.config.tools ??= [];
      const { tools } = llmRequest.config;
      const declared = tools.find((one): one is { functionDeclarations?: unknown[] } => 'functionDeclarations' in one);
      if (declared === undefined) tools.push({ functionDeclarations: [declaration] });
      else declared.functionDeclarations = [...(declared.functionDeclarations ?? []), declaration];
    },
    // A handler that asks for a confirmation does so in its run; a confirmed call may always be taken up again.
    checkRequireConfirmation: async () => true,
  };
  return Object.defineProperty(tool, mark, { value: true });
}

/** An event of a session, as far as it is looked at here. */
interface AdkEvent {
  readonly content?: { readonly parts?: readonly { readonly functionCall?: { readonly id?: string } }[] } | undefined;
}

/** Finds the event of the model that holds a call: calls of one answer are made one after the other. */
function answerOf({ functionCallId, invocationContext }: AdkContext): object | undefined {
  const holdsCall = ({ content }: AdkEvent): boolean =>
    content?.parts?.some(({ functionCall }) => functionCall?.id === functionCallId) === true;
  return functionCallId === undefined ? undefined : invocationContext?.session?.events?.findLast(holdsCall);
}
