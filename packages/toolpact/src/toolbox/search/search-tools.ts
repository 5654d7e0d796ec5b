import type { CallContext, StandardSchemaV1 } from '../../contract/index.ts';
import { isRecord } from '../../json/index.ts';
import { fail, type JsonObject, ok } from '../../outcome/index.ts';
import { type AnyTool, type CallSettings, defineTool } from '../../runtime/index.ts';
import type { FindTools, FoundTool } from './find-tools.ts';
import { outlineSchema } from './outline-schema.ts';

/** The name of the tool with which models find the others. */
export const searchToolName = 'search_tools';

/** The name of the tool through which models call what they found. */
export const callToolName = 'call_tool';

/** The most tools that one search gives a model. */
const mostFound = 20;
const longestDescription = 400;
/** The most characters of a schema that a model reads of a tool that was found, and of one that was asked for by name. */
const longestSchema = { found: 3_000, named: 30_000 } as const;

type SearchInput = { readonly query: string; readonly limit?: number };

/** Written by hand: the library depends on no schema library. */
const searchInput: StandardSchemaV1<SearchInput, SearchInput> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate(value) {
      const { query, limit } = (value ?? {}) as { readonly query?: unknown; readonly limit?: unknown };
      const isCount = limit === undefined || limit === null || (Number.isInteger(limit) && Number(limit) >= 1);
      const issues = [
        ...(typeof query === 'string' && query.trim() !== '' ? [] : [{ path: ['query'], message: 'must say what the tool should do' }]),
        ...(isCount ? [] : [{ path: ['limit'], message: 'must be a whole number from 1' }]),
      ];
      if (issues.length > 0) return { issues };
      return { value: { query: String(query), ...(limit != null && { limit: Math.min(mostFound, Number(limit)) }) } };
    },
  },
};

type CallInput = { readonly name: string; readonly arguments?: unknown };

const callInput: StandardSchemaV1<CallInput, CallInput> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate(value) {
      const { name } = (value ?? {}) as { readonly name?: unknown };
      return typeof name === 'string' && name !== ''
        ? { value: value as CallInput }
        : { issues: [{ path: ['name'], message: 'must be the name of a tool' }] };
    },
  },
};

/** Creates the two tools that stand for those a model is not offered from the start. */
export function createSearchTools(find: FindTools): readonly AnyTool[] {
  const searchTools = defineTool({
    name: searchToolName,
    description: `Finds tools by what they do. There are more tools than you were given: search before you say that something cannot be done. Returns the best matches with their parameters; call one with ${callToolName}.`,
    input: searchInput,
    jsonSchema: {
      input: {
        type: 'object',
        properties: {
          query: {
            type: 'string',
            description:
              'What the tool should do, in a few words such as "refund a payment"; or the name of a tool, for all of its parameters.',
          },
          limit: { type: 'integer', minimum: 1, maximum: mostFound, description: 'How many to give. Default: 5.' },
        },
        required: ['query'],
      },
    },
    effects: 'none',
    examples: [{ input: { query: 'refund a payment' } }],
    async run({ query, limit = 5 }, context) {
      // Guards are those of the toolbox in which the call is made, which may have more than the one that was created.
      const call = context as unknown as { readonly settings: CallSettings; readonly context: CallContext };
      const found = await find(query, limit, call.settings, call.context);
      const tools = found.map((tool) => shown(tool, query));
      return tools.length > 0 ? ok({ tools }) : ok({ tools }, { message: 'No tool matches. Search again with other words.' });
    },
  });
  const callTool = defineTool({
    name: callToolName,
    description: `Calls a tool that ${searchToolName} found, by its name and with its own arguments.`,
    input: callInput,
    jsonSchema: {
      input: {
        type: 'object',
        properties: {
          name: { type: 'string', description: `The name of the tool, as ${searchToolName} gave it.` },
          arguments: { type: 'object', description: 'The arguments, as the inputSchema of the tool says.', additionalProperties: true },
        },
        required: ['name', 'arguments'],
      },
    },
    // The toolbox makes the call of the named tool instead; this runs where that is no other tool.
    run: ({ name }) =>
      fail('invalid_input', `${callToolName} cannot call "${name.slice(0, 64)}".`, {
        advice: 'Give the name of another tool.',
        effect: 'none',
      }),
  });
  return [searchTools, callTool] as unknown as readonly AnyTool[];
}

/** Reads which tool a call of `call_tool` means, and with which arguments; undefined where it does not say. */
export function readCallTool(args: unknown): { readonly name: string; readonly args: unknown } | undefined {
  const given = typeof args === 'string' ? parse(args) : args;
  try {
    const { name, arguments: own } = (given ?? {}) as { readonly name?: unknown; readonly arguments?: unknown };
    return typeof name === 'string' && name !== '' ? { name, args: own ?? {} } : undefined;
  } catch {
    return undefined;
  }
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Writes a found tool as a model reads it. */
function shown(
  { name, providerName, description, effects, inputSchema, approval, circuitOpenUntil, lastFailure }: FoundTool,
  query: string,
): JsonObject {
  const isNamed = query === name || query === providerName;
  const schema = outlineSchema(inputSchema, isNamed ? longestSchema.named : longestSchema.found);
  return {
    name: providerName,
    description: description.length <= longestDescription || isNamed ? description : `${description.slice(0, longestDescription)}…`,
    effects,
    ...(approval !== undefined && { approval }),
    ...(circuitOpenUntil !== undefined && { circuitOpenUntil }),
    ...(lastFailure !== undefined && { lastFailure }),
    inputSchema: schema,
    ...(schema !== inputSchema && { note: `Some parameters are shortened. Search for "${providerName}" to read all of them.` }),
  };
}
