import type { ObjectSchema } from '../../../core/contract/index.ts';
import { isObject } from '../../../core/json/index.ts';
import {
  type Content,
  classify,
  fail,
  isOutcome,
  ok,
  type Reply,
  refuseOptions,
  ToolpactError,
  toReply,
} from '../../../core/outcome/index.ts';
import { type AnyTool, defineTool, type Tool } from '../../../core/runtime/index.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import { returnedFailure } from '../frameworks/returned-failure.ts';
import { toFileBlock } from '../frameworks/to-file-block.ts';
import { toPlainText } from '../frameworks/to-plain-text.ts';
import { toStandardSchema } from './standard-schema.ts';

/** A tool as the AI SDK's `tool()` makes it. */
export interface AiSdkToolLike {
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly execute?: ((...args: never) => unknown) | undefined;
  readonly toModelOutput?: ((...args: never) => unknown) | undefined;
  readonly needsApproval?: boolean | ((...args: never) => unknown) | undefined;
}

/** The tools as Toolpact has them, under the names they had. */
export type ToolsFrom<TTools extends Readonly<Record<string, AiSdkToolLike>>> = readonly {
  readonly [TName in Extract<keyof TTools, string>]: Tool<TName, InputOf<TTools[TName]>, unknown, string, unknown>;
}[Extract<keyof TTools, string>][];

type InputOf<TTool> = TTool extends { readonly execute?: ((input: infer TInput, ...rest: never) => unknown) | undefined } ? TInput : never;

/**
 * Makes existing AI SDK tools Toolpact tools, for a toolbox. What they throw is classified, their output schema is enforced, and what
 * their `toModelOutput` says is what models read, and `needsApproval` becomes an approval, which needs the guard `approvals`. A tool without
 * `execute` cannot run here and throws at once.
 */
export function fromTools<const TTools extends Readonly<Record<string, AiSdkToolLike>>>(
  tools: TTools,
  options: ForeignToolOptions = {},
): ToolsFrom<TTools> {
  refuseOptions<ForeignToolOptions>('fromTools', options, foreignToolOptions);
  if (!isObject(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an object of tools', { argument: 'tools' });
  const { returnsErrors = false } = options;
  return Object.entries(tools).map(([name, tool]): AnyTool => {
    const { execute, description, inputSchema, outputSchema, needsApproval = false } = tool as Executable;
    if (typeof execute !== 'function')
      throw new ToolpactError('invalid_argument', `the tool "${name}" has no \`execute\`: it runs where its caller is`, { tool: name });
    return defineTool({
      name,
      description: typeof description === 'string' ? description : name,
      ...(inputSchema !== undefined && { input: toStandardSchema(name, inputSchema) as ObjectSchema }),
      ...(outputSchema !== undefined && { output: toStandardSchema(name, outputSchema) }),
      ...statedFor(name, options),
      ...(needsApproval !== false && { approval: (input: unknown) => asksFirst(needsApproval, input) }),
      run: async (input, { callId = '', signal, progress, app }) => {
        const host = { toolCallId: callId, messages: [], abortSignal: signal, context: app };
        const output = await lastOf(execute.call(tool, input, host), (step) => progress(shorten(step)));
        if (isOutcome(output)) return toReply(output);
        const failed = returnsErrors ? returnedFailure(output) : undefined;
        if (failed !== undefined) return failed;
        const modelOutput = await (tool as Executable).toModelOutput?.({ toolCallId: callId, input, output });
        return modelOutput === undefined ? output : replyOf(output, modelOutput);
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

/** Asks the tool whether a person has to allow a call. Where that takes time to find out, the person is asked. */
function asksFirst(needsApproval: NonNullable<Executable['needsApproval']>, input: unknown): boolean {
  if (typeof needsApproval !== 'function') return needsApproval;
  const answer = needsApproval(input, { toolCallId: '', messages: [] });
  if (typeof answer === 'boolean') return answer;
  Promise.resolve(answer).catch(() => undefined);
  return true;
}

interface Executable extends Pick<AiSdkToolLike, 'description' | 'inputSchema' | 'outputSchema'> {
  readonly execute?: (input: unknown, options: object) => unknown;
  readonly toModelOutput?: (options: object) => ModelOutput | PromiseLike<ModelOutput>;
  readonly needsApproval?: boolean | ((input: unknown, options: object) => unknown);
}

interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
  readonly reason?: string;
}

/** A tool may yield what it has so far; the last of it is its result. */
async function lastOf(returned: unknown, onStep: (step: unknown) => void): Promise<unknown> {
  if (!isObject(returned) || !(Symbol.asyncIterator in returned)) return returned;
  let last: unknown;
  let steps = 0;
  for await (const step of returned as AsyncIterable<unknown>) {
    if (steps > 0) onStep(last);
    last = step;
    steps += 1;
  }
  return last;
}

function shorten(step: unknown): string {
  return toPlainText(step).slice(0, 200);
}

/** What the tool itself wants a model to read; a tool may well say there that it failed. */
function replyOf(output: unknown, { type, value, reason }: ModelOutput): Reply<unknown> {
  switch (type) {
    case 'text':
      return ok(output, { content: [{ type: 'text', text: String(value) }] });
    case 'error-text':
    case 'error-json': {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return fail(classify(value).kind, text);
    }
    case 'execution-denied':
      return fail('denied', reason ?? 'The call was denied; it did not run.');
    case 'content':
      return ok(output, { content: (value as readonly Readonly<Record<string, unknown>>[]).flatMap(toBlock) });
    default:
      return ok(output, { content: [{ type: 'text', text: JSON.stringify(value ?? null) }] });
  }
}

function toBlock(part: Readonly<Record<string, unknown>>): Content[] {
  if (part.type === 'text') return [{ type: 'text', text: String(part.text) }];
  const { mediaType: mimeType, data } = part as { mediaType?: string; data?: unknown };
  const { type, data: bytes, url, text } = (isObject(data) ? data : { type: 'data', data }) as FileData;
  if (type === 'text' && text !== undefined) return [{ type: 'text', text }];
  if (type === 'url' && url !== undefined) return [{ type: 'resource', uri: String(url), ...(mimeType !== undefined && { mimeType }) }];
  if (type !== 'data' || mimeType === undefined) return [];
  const base64 = typeof bytes === 'string' ? bytes : toBase64(bytes);
  return base64 === undefined ? [] : [toFileBlock(mimeType, base64)];
}

interface FileData {
  readonly type: string;
  readonly data?: unknown;
  readonly url?: unknown;
  readonly text?: string;
}

function toBase64(bytes: unknown): string | undefined {
  const view = bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes;
  if (!(view instanceof Uint8Array)) return undefined;
  return btoa(Array.from(view, (byte) => String.fromCharCode(byte)).join(''));
}
