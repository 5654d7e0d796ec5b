import { toReadFailure } from '../../classify/index.ts';
import type { ObjectSchema, StandardSchemaV1 } from '../../contract/index.ts';
import { isObject } from '../../json/index.ts';
import { type Content, isOutcome, type JsonObject, ok, type Reply, refuseOptions, ToolpactError, toReply } from '../../outcome/index.ts';
import { type AnyTool, defineTool, type Tool } from '../../runtime/index.ts';
import { acceptAny, describedSchema } from '../frameworks/described-schema.ts';
import { type ForeignToolOptions, foreignToolOptions, statedFor } from '../frameworks/foreign-tool-options.ts';
import { returnedFailure } from '../frameworks/returned-failure.ts';
import { toUrlBlock } from '../frameworks/to-file-block.ts';
import { isCommand } from './control-flow.ts';
import type { LangchainMessage } from './core.ts';
import { refusedArguments } from './failure.ts';

/** A tool as LangChain's `tool()` or a `StructuredTool` class makes it. */
export type LangchainToolLike = {
  // Name, description and schema are left out, so that TypeScript infers their exact types.
  readonly invoke: (...args: never) => Promise<unknown>;
};

/** Declarations that LangChain tools lack. */
export interface FromToolsOptions extends ForeignToolOptions {
  /** Returns the JSON Schema of a schema that cannot export its own (zod 3), for example `toJsonSchema` of `@langchain/core`. */
  readonly toJsonSchema?: (schema: never) => unknown;
}

/** The tools as Toolpact has them, under the names they had. */
export type ToolsFrom<TTools extends readonly LangchainToolLike[]> = readonly {
  readonly [TIndex in keyof TTools]: Tool<NameOf<TTools[TIndex]>, InputOf<TTools[TIndex]>, unknown, string, unknown>;
}[number][];

/** The name of a tool, where its type says it. */
type NameOf<TTool> = TTool extends { readonly name: infer TName extends string } ? TName : string;

type InputOf<TTool> = TTool extends { readonly schema: { readonly _zod: { readonly input: infer TInput } } }
  ? TInput
  : Readonly<Record<string, unknown>>;

/**
 * Turns existing LangChain tools into Toolpact tools, for a toolbox. What they throw is classified, arguments they refuse are `invalid_input`, a
 * message with status `error` is a failure, an artifact is the data, and content blocks stay blocks.
 */
export function fromTools<const TTools extends readonly LangchainToolLike[]>(
  tools: TTools,
  options: FromToolsOptions = {},
): ToolsFrom<TTools> {
  refuseOptions<FromToolsOptions>('fromTools', options, { ...foreignToolOptions, toJsonSchema: true });
  if (!Array.isArray(tools)) throw new ToolpactError('invalid_argument', 'fromTools takes an array of tools', { argument: 'tools' });
  const { returnsErrors = false, toJsonSchema } = options;
  return tools.map((tool): AnyTool => {
    const { name, description, schema } = tool as Named;
    return defineTool({
      name,
      description: description || name,
      ...(schema !== undefined && { input: toInput(name, schema, toJsonSchema) }),
      ...statedFor(name, options),
      run: async (args, { callId, invocationId, signal }) => {
        try {
          // Only as an answer to a call does a tool tell its status and its artifact.
          const { answer, given } = await invoke(tool as Named, { type: 'tool_call', id: callId ?? invocationId, name, args }, { signal });
          const result = toResult(answer, given);
          return (returnsErrors ? returnedFailure(result) : undefined) ?? result;
        } catch (thrown) {
          throw refusedArguments(thrown) ?? thrown;
        }
      },
    });
  }) as unknown as ToolsFrom<TTools>;
}

/** The tool's result before LangChain turned it into text; undefined if it is hidden, or more than data. */
interface Given {
  readonly value: unknown;
}

/** Calls a tool and sees what its function gave: of what has no JSON form, LangChain's text says nothing. */
async function invoke(tool: Named, call: object, config: object): Promise<{ readonly answer: unknown; readonly given: Given | undefined }> {
  let given: Given | undefined;
  const isSeen = typeof tool._call === 'function' && tool.responseFormat !== 'content_and_artifact';
  const seen = isSeen
    ? (Object.create(tool, {
        _call: {
          value: async (...args: unknown[]) => {
            const value = await tool._call?.(...args);
            given = { value };
            return value;
          },
        },
      }) as Named)
    : tool;
  const run = tool.invoke as unknown as (this: Named, call: object, config: object) => Promise<unknown>;
  return { answer: await run.call(seen, call, config), given };
}

interface Named extends LangchainToolLike {
  readonly _call?: (...args: unknown[]) => unknown;
  readonly responseFormat?: unknown;
  readonly name: string;
  readonly description?: string | undefined;
  readonly schema?: unknown;
}

/** Describes the arguments. They are left as they are: the tool checks them itself, and a second transformation would spoil them. */
function toInput(tool: string, schema: unknown, toJsonSchema: FromToolsOptions['toJsonSchema']): ObjectSchema {
  const standard = (schema as Partial<StandardSchemaV1>)['~standard'];
  const own = standard?.jsonSchema?.input;
  const input = own ?? (() => (standard === undefined && !isZod(schema) ? schema : toJsonSchema?.(schema as never)) as JsonObject);
  if (own === undefined && typeof (input as () => unknown)() !== 'object') {
    throw new ToolpactError('invalid_schema', `the schema of the tool "${tool}" carries no JSON Schema; give \`toJsonSchema\``, { tool });
  }
  return describedSchema('langchain', input, standard === undefined ? acceptAny : (value) => standard.validate(value));
}

function isZod(schema: unknown): boolean {
  return isObject(schema) && '_def' in schema;
}

/** Reads what a tool answered. */
function toResult(answer: unknown, given: Given | undefined): unknown {
  if (isCommand(answer)) throw answer;
  if (!isObject(answer) || (answer as LangchainMessage).type !== 'tool') return answer;
  const { content, artifact, status } = answer as LangchainMessage;
  if (isOutcome(artifact)) return toReply(artifact);
  const blocks = Array.isArray(content) ? content.flatMap(toBlock) : undefined;
  const text = blocks === undefined ? String(content) : textOf(blocks);
  if (status === 'error') return toReadFailure(new Error(text), text);
  if (given !== undefined && typeof given.value !== 'string' && !Array.isArray(content)) return given.value;
  if (blocks !== undefined) return withBlocks(artifact ?? text, blocks);
  return artifact === undefined ? fromJson(text) : withBlocks(artifact, [{ type: 'text', text }]);
}

/** Returns the text in blocks. */
function textOf(blocks: readonly Content[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function withBlocks(data: unknown, content: readonly Content[]): Reply<unknown> {
  return ok(data, { content });
}

/** LangChain writes every result as text; what was an object is made one again. */
function fromJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

type Block = Readonly<Record<string, unknown>>;

function toBlock(block: Block): Content[] {
  const { type, text, data, url, mime_type, mimeType = mime_type } = block;
  if (type === 'text' && typeof text === 'string') return [{ type, text }];
  const address = type === 'image_url' ? ((block.image_url as { url?: unknown } | undefined)?.url ?? block.image_url) : url;
  if (typeof address === 'string') return [toUrlBlock(address, mimeType)];
  if (type === 'image_url') return [];
  if (typeof data !== 'string' || typeof mimeType !== 'string') return [{ type: 'text', text: JSON.stringify(block) }];
  if (type === 'image' || type === 'audio') return [{ type, data, mimeType }];
  return [{ type: 'resource', uri: 'data:', mimeType, data }];
}
