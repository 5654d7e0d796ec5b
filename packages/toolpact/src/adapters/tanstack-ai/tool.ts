import { type Outcome, toToolFailure } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { fromCarried } from '../frameworks/carried-arguments.ts';
import type { HostTool } from '../frameworks/host-tools.ts';
import { type PermissiveSchema, toPermissive } from '../frameworks/permissive-schema.ts';
import { type ShownBlock, shownBlocks } from '../frameworks/shown-blocks.ts';
import { stopsRun } from '../frameworks/stops-run.ts';
import { textFor } from '../frameworks/tell-model.ts';
import { runOfCall } from './run.ts';

/** A server tool as `chat` takes it. What it returns is what the model reads; a failure is thrown, which is how TanStack AI flags it. */
export interface TanstackTool<TName extends string = string, TInput = unknown> {
  readonly __toolSide: 'server';
  readonly name: TName;
  readonly description: string;
  /** Lets everything through: the toolbox checks the arguments. */
  readonly inputSchema: PermissiveSchema<TInput>;
  readonly execute: (input: TInput, context?: TanstackToolContext) => Promise<TanstackResult>;
}

/** The part of TanStack AI's tool context that is read here. `options.context` gets all of it. */
export interface TanstackToolContext {
  readonly toolCallId?: string | undefined;
  readonly abortSignal?: AbortSignal | undefined;
  readonly emitCustomEvent?: ((name: string, value: Record<string, unknown>) => void) | undefined;
}

/** Output for the model: text, and media blocks. */
export type TanstackResult = string | TanstackPart[];

/** A part of it. */
export type TanstackPart =
  | { readonly type: 'text'; readonly content: string }
  | {
      readonly type: 'image' | 'audio' | 'video' | 'document';
      readonly source: { readonly type: 'data'; readonly value: string; readonly mimeType: string };
    };

/** Creates the TanStack AI form of one tool. */
export function toTanstackTool({ name, description, inputSchema, call }: HostTool, dialect?: ModelDialect): TanstackTool {
  return {
    __toolSide: 'server',
    name,
    description,
    inputSchema: toPermissive(inputSchema),
    async execute(args, context = {}) {
      const { toolCallId: callId, abortSignal: signal, emitCustomEvent } = context;
      const run = runOfCall(args);
      const onProgress = emitCustomEvent && ((progress: object) => emitCustomEvent('progress', { ...progress }));
      // Each run has a signal of its own. Calls that are sent twice are dropped before they come here.
      const facts = { callId, run: run ?? signal, turn: undefined, signal, onProgress, host: context };
      const outcome = await call(fromCarried(args), facts);
      if (run !== undefined && stopsRun(outcome)) run.isStopped = true;
      if (outcome.status !== 'error') return toResult(outcome, dialect);
      // A thrown envelope would be wrapped in an object, and be no envelope any more.
      if (dialect === undefined) throw Object.assign(toToolFailure(outcome.error, outcome.data), { message: textFor(outcome, dialect) });
      if (callId !== undefined) run?.failed.add(callId);
      return toResult(outcome, dialect);
    },
  };
}

function toResult(outcome: Outcome, dialect: ModelDialect | undefined): TanstackResult {
  const text = textFor(outcome, dialect);
  const parts = shownBlocks(outcome).map(toPart);
  return parts.length === 0 ? toExactText(text) : [{ type: 'text', content: text }, ...parts];
}

/** TanStack AI parses a text that is JSON, and would round a long number in it. A text in quotes is parsed to that text. */
function toExactText(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text)) === text ? text : JSON.stringify(text);
  } catch {
    return text;
  }
}

function toPart(block: ShownBlock): TanstackPart {
  if (block.type === 'note') return { type: 'text', content: block.text };
  const { data: value, mimeType } = block;
  const [kind] = mimeType.split('/');
  const type = kind === 'image' || kind === 'audio' || kind === 'video' ? kind : 'document';
  return { type, source: { type: 'data', value, mimeType } };
}
