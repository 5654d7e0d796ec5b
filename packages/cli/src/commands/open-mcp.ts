import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport, type StdioServerParameters } from '@modelcontextprotocol/client/stdio';
import type { SubjectTool, ToolSubject } from '@toolpact/testing';
import { classify, createToolbox } from 'toolpact';
import { fromMcp, type RemoteListing } from 'toolpact/adapters/mcp';
import { CliError, usageError } from '../cli-error.ts';
import { packageVersion } from '../load/package-version.ts';
import { asSentence, shortLine, type Terminal } from '../print/terminal.ts';
import { keyFix, needsKey } from './key-fix.ts';

/** Tools to look at, wherever they are. */
export interface OpenedSubject {
  readonly subject: ToolSubject;
  /** The subject in a few words. */
  readonly where: string;
  /** Tools that are there but cannot be called from here. */
  readonly problems: readonly McpProblem[];
  readonly close: () => Promise<void>;
}

/** A tool of a server that could not be taken over, and why. */
export interface McpProblem {
  readonly tool: string;
  readonly why: string;
}

/** How an MCP server is reached: started here, or at an address. */
export type McpTarget = { readonly program: string; readonly url?: undefined } | { readonly url: URL; readonly program?: undefined };

/** Connects to an MCP server, of anyone's make, and gives its tools. */
export async function openMcp(target: McpTarget, terminal: Terminal): Promise<OpenedSubject> {
  const where = target.program ?? target.url.href;
  const client = await connect(target, terminal);
  let isOpen = true;
  client.onclose = () => {
    isOpen = false;
  };
  try {
    // Without `schema` arguments and results pass unchecked: the server is to be judged, not what stands in front of it. Its hints are what it
    // promises, and who has it checked says which server that is.
    const tools = await fromMcp(client, { trustHints: true });
    const subject = asSubject(tools, () => isOpen);
    return { subject, where, problems: tools.skipped, close: () => client.close() };
  } catch (thrown) {
    await client.close().catch(() => undefined);
    throw new CliError(`Could not read the tools of ${where}: ${messageOf(thrown)}`, { cause: thrown });
  }
}

/** Returns a server's tools to checks: what it lists is shown as it is. */
function asSubject(tools: Awaited<ReturnType<typeof fromMcp>>, isOpen: () => boolean): ToolSubject {
  const toolbox = createToolbox(tools, { report: () => undefined });
  const listed = toolbox.list().map((tool, at): SubjectTool => ({ ...tool, ...factsOf(tools.listings[at], tool.name) }));
  return {
    list: () => listed,
    answer: async (call, context) => {
      const outcome = await toolbox.answer(call, context);
      // A server that is gone is no failure of a network that comes and goes.
      if (!isOpen()) throw new Error('the server has ended');
      return outcome;
    },
  };
}

/** By the rules of the protocol a tool counts as destructive unless it only reads or says that it destroys nothing. */
function factsOf(listing: RemoteListing | undefined, name: string): Partial<SubjectTool> {
  if (listing === undefined) return {};
  const { readOnlyHint, idempotentHint, destructiveHint } = (listing.annotations ?? {}) as Readonly<Record<string, unknown>>;
  return {
    description: listing.description ?? '',
    ...(listing.name !== name && { listedName: listing.name }),
    effectsDeclared: [readOnlyHint, idempotentHint, destructiveHint].some((hint) => typeof hint === 'boolean'),
    mayDestroy: readOnlyHint !== true && destructiveHint !== false,
  };
}

async function connect(target: McpTarget, terminal: Terminal): Promise<Client> {
  const { TOOLPACT_API_KEY: key = '' } = terminal.env;
  const client = new Client({ name: 'toolpact check', version: packageVersion() }, { capabilities: {} });
  const headers = key === '' ? {} : { authorization: `Bearer ${key}` };
  try {
    await client.connect(
      target.url === undefined
        ? new StdioClientTransport(toProgram(target.program, terminal))
        : new StreamableHTTPClientTransport(target.url, { requestInit: { headers } }),
    );
    return client;
  } catch (thrown) {
    await client.close().catch(() => undefined);
    const { kind, upstream } = classify(thrown);
    const status = upstream?.status === undefined ? '' : ` (HTTP ${upstream.status})`;
    throw new CliError(`No MCP server answered at ${target.program ?? target.url.href}${status}: ${messageOf(thrown)}`, {
      fix:
        target.url === undefined
          ? 'Try the command by itself; it must speak MCP on stdin and stdout.'
          : needsKey(kind)
            ? keyFix
            : 'Check the address; it usually ends in /mcp.',
      cause: thrown,
    });
  }
}

/** Splits a command line into words; quotes keep words together. */
function toProgram(line: string, { cwd, env }: Terminal): StdioServerParameters {
  const [command, ...args] = splitCommand(line);
  if (command === undefined) throw usageError('--stdio needs a command, such as --stdio "npx some-mcp-server".');
  return { command, args, cwd, env: env as Record<string, string>, stderr: 'ignore' };
}

/** Splits a command into words. A backslash is a part of the path on Windows, so it only hides a quotation mark. */
export function splitCommand(line: string): string[] {
  return [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\S+/g)].map(
    ([whole, double, single]) => double?.replaceAll('\\"', '"') ?? single ?? whole,
  );
}

/** Shortens the message: some clients report an answer that is not MCP with their whole schema. */
function messageOf(thrown: unknown): string {
  return asSentence(shortLine(thrown instanceof Error ? thrown.message : String(thrown), 200));
}
