import type { Progress } from '../../contract/index.ts';
import { isOutcome, type Outcome } from '../../outcome/index.ts';
import type { ModelDialect } from '../../runtime/index.ts';
import { fromCarried } from '../frameworks/carried-arguments.ts';
import type { HostTool } from '../frameworks/host-tools.ts';
import { type PermissiveSchema, toPermissive } from '../frameworks/permissive-schema.ts';
import { type ShownBlock, shownBlocks } from '../frameworks/shown-blocks.ts';
import { textFor } from '../frameworks/tell-model.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';

/** A tool as a Mastra agent takes it. Its result is the outcome itself; the model is sent what `toModelOutput` makes of it. */
export interface MastraTool<TId extends string = string, TInput = unknown, TOutcome extends Outcome = Outcome> {
  readonly id: TId;
  readonly description: string;
  /** Lets everything through: the toolbox checks the arguments. */
  readonly inputSchema: PermissiveSchema<TInput>;
  /** Keeps Mastra from rewriting the schema for a provider, so that the model is shown the one that is checked. */
  readonly strict: false;
  readonly inputExamples?: { input: Record<string, unknown> }[];
  readonly execute: (input: TInput, context?: MastraToolContext) => Promise<TOutcome>;
  readonly toModelOutput: (outcome: TOutcome) => MastraModelOutput;
}

/** The part of Mastra's tool context that is read here. `options.context` gets all of it. */
export interface MastraToolContext {
  readonly abortSignal?: AbortSignal | undefined;
  readonly runId?: string | undefined;
  readonly agent?: { readonly toolCallId?: string | undefined } | undefined;
  readonly writer?: { readonly write: (data: unknown) => Promise<void> } | undefined;
}

/** Output for the model: text, flagged if the call failed, and media blocks. */
export type MastraModelOutput =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'content'; readonly value: MastraPart[] };

/** A part of it. */
export type MastraPart = { readonly type: 'text'; readonly text: string } | { readonly type: 'media'; data: string; mediaType: string };

/** Mastra knows its tools by this mark. */
const mark = Symbol.for('mastra.core.tool.Tool');

/** Creates the Mastra form of one tool. */
export function toMastraTool(tool: HostTool, dialect?: ModelDialect): MastraTool {
  const { name, description, inputSchema, examples, call } = tool;
  const shape = {
    id: name,
    description,
    inputSchema: toPermissive(inputSchema),
    strict: false,
    ...(examples.length > 0 && { inputExamples: examples.map(({ input }) => ({ input: input as Record<string, unknown> })) }),
    execute: (args: unknown, context: MastraToolContext = {}) =>
      call(fromCarried(args), {
        callId: context.agent?.toolCallId,
        run: context.runId,
        turn: context.runId,
        signal: context.abortSignal,
        onProgress: progressTo(context.writer),
        host: context,
      }),
    toModelOutput: (outcome: Outcome) => toModelOutput(outcome, dialect),
  } as const;
  return Object.defineProperty(shape, mark, { value: true });
}

function toModelOutput(outcome: Outcome, dialect: ModelDialect | undefined): MastraModelOutput {
  // A memory may hold results from before the tool was Toolpact's.
  if (!isOutcome(outcome)) return { type: 'text', value: toPlainText(outcome) };
  const text = textFor(outcome, dialect);
  if (outcome.status === 'error') return { type: 'error-text', value: text };
  const parts = shownBlocks(outcome).map(toPart);
  return parts.length === 0 ? { type: 'text', value: text } : { type: 'content', value: [{ type: 'text', text }, ...parts] };
}

function toPart(block: ShownBlock): MastraPart {
  return block.type === 'note' ? { type: 'text', text: block.text } : { type: 'media', data: block.data, mediaType: block.mimeType };
}

function progressTo(writer: MastraToolContext['writer']): ((progress: Progress) => void) | undefined {
  if (writer === undefined) return undefined;
  // The reader of the stream may have gone; the call goes on without it.
  return (progress) => void writer.write({ type: 'progress', ...progress }).catch(() => undefined);
}
