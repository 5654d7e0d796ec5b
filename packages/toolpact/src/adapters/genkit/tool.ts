import { type JsonObject, type Outcome, toModelText } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { callSteered, recognise } from '../frameworks/call-steered.ts';
import type { HostTool } from '../frameworks/host-tools.ts';
import { notesOf, type ShownBlock, shownBlocks } from '../frameworks/shown-blocks.ts';
import { stopsRun } from '../frameworks/stops-run.ts';
import { envelopeWithNotes } from '../frameworks/tell-model.ts';

/** A tool as Genkit takes it: an action that needs no registry, with a result that may have parts. */
export interface GenkitTool {
  (input: unknown, host?: GenkitCall): Promise<GenkitResult>;
  readonly __action: GenkitActionFacts;
  readonly run: (input: unknown, host?: GenkitCall) => Promise<{ result: GenkitResult; telemetry: { traceId: string; spanId: string } }>;
  readonly stream: (input: unknown, host?: GenkitCall) => { stream: AsyncGenerator<never>; output: Promise<GenkitResult> };
}

/** How an action is described. Genkit shows the schema to the model; it checks nothing, because the toolbox does. */
export interface GenkitActionFacts {
  readonly name: string;
  readonly key: string;
  readonly description: string;
  readonly actionType: 'tool.v2';
  /** The tool's whole JSON Schema. */
  readonly inputJsonSchema: { type: 'object' };
  readonly metadata: Record<string, unknown>;
}

/** The known facts of a call: from Genkit, and from `toMiddleware`. `options.context` gets all of them. */
export interface GenkitCall {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  readonly resumed?: unknown;
  readonly toolRequest?: { readonly name: string; readonly ref?: string | undefined } | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  /** Stands for the generation that the call belongs to. */
  readonly generation?: object | undefined;
  /** Stands for the answer of the model that holds the call. */
  readonly turn?: object | undefined;
  /** Interrupts the generation, as in Genkit's own tools; it does not return. */
  readonly interrupt?: ((metadata?: Readonly<Record<string, unknown>>) => never) | undefined;
}

/** The result of a call: `output` for the model (a failure under `error`), media, and data for the application in the history. */
export interface GenkitResult {
  readonly output: unknown;
  readonly content?: { media: { url: string; contentType: string } }[];
  readonly metadata: { readonly toolpact: JsonObject };
}

/** Recognises what a handler may throw to steer Genkit: an interrupt. All else that it throws is a failure and becomes an answer. */
export const isControlFlow = recognise(['ToolInterruptError']);

/** Interrupts a generation as Genkit's own tools do; Genkit knows the error by its name. */
const interrupt: NonNullable<GenkitCall['interrupt']> = (metadata) => {
  throw Object.assign(new Error('interrupted'), { name: 'ToolInterruptError', metadata });
};

/** Creates the Genkit form of one tool. */
export function toGenkitTool({ name, description, inputSchema, call }: HostTool, dialect?: ModelDialect): GenkitTool {
  const answer = async (input: unknown, given: GenkitCall = {}): Promise<GenkitResult> => {
    const facts = {
      callId: given.toolRequest?.ref,
      run: given.generation,
      turn: given.turn,
      signal: given.abortSignal,
      host: { ...given, interrupt },
    };
    return toResult(await callSteered((watched) => call(input, watched), facts, isControlFlow), dialect);
  };
  const facts: GenkitActionFacts = {
    name,
    key: `/tool.v2/${name}`,
    description,
    actionType: 'tool.v2',
    inputJsonSchema: inputSchema as { type: 'object' },
    metadata: { type: 'tool.v2', tool: { multipart: true }, dynamic: true },
  };
  const run: GenkitTool['run'] = async (input, host) => ({ result: await answer(input, host), telemetry: { traceId: '', spanId: '' } });
  const stream: GenkitTool['stream'] = (input, host) => ({ stream: noChunks(), output: answer(input, host) });
  // Each generation signs the tool in at a registry of its own; Genkit would log a second time as an error.
  const registry = { get: () => undefined, set: () => undefined };
  return Object.defineProperty(Object.assign(answer, { __action: facts, run, stream }), '__registry', registry);
}

async function* noChunks(): AsyncGenerator<never> {}

function toResult(outcome: Outcome, dialect: ModelDialect | undefined): GenkitResult {
  const media = shownBlocks(outcome).flatMap(toMedia);
  const output = dialect === undefined ? toOutput(outcome) : envelopeWithNotes(outcome, dialect);
  return { output, ...(media.length > 0 && { content: media }), metadata: { toolpact: toFacts(outcome) } };
}

function toOutput(outcome: Outcome): unknown {
  if (outcome.status === 'error') return { error: toModelText(outcome) };
  const isData =
    outcome.status === 'ok' && outcome.content === undefined && outcome.message === undefined && outcome.meta.truncated !== true;
  if (isData) return outcome.data ?? null;
  return [toModelText(outcome), ...notesOf(outcome)].join('\n');
}

function toFacts(outcome: Outcome): JsonObject {
  if (outcome.status !== 'error') return { status: outcome.status };
  const { kind, code, recovery, retryable, debugId } = outcome.error;
  return {
    status: 'error',
    kind,
    ...(code !== undefined && { code }),
    recovery,
    retryable,
    ...(debugId !== undefined && { debugId }),
    ...(stopsRun(outcome) && { stop: true }),
  };
}

function toMedia(block: ShownBlock): { media: { url: string; contentType: string } }[] {
  if (block.type === 'note') return [];
  const { mimeType: contentType, data } = block;
  return [{ media: { url: `data:${contentType};base64,${data}`, contentType } }];
}
