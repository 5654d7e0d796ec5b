import type { AnyTool } from '../runtime/index.ts';
import type { Toolbox } from '../toolbox/index.ts';
import type { McpEra } from './mcp-request.ts';
import { type McpTool, toMcpTool } from './mcp-tool.ts';

/** The tools of a toolbox as both eras of the protocol list them, by their own names. */
export type ListedMcpTools = Readonly<Record<McpEra, ReadonlyMap<string, McpTool>>> & {
  /** The names of those that `tools/list` leaves out, because clients find them by a search. */
  readonly deferred: ReadonlySet<string>;
};

/** Returns the tools for `tools/list`. */
export function offeredMcpTools(listed: ListedMcpTools, era: McpEra): McpTool[] {
  return [...listed[era]].flatMap(([name, tool]) => (listed.deferred.has(name) ? [] : [tool]));
}

// Servers of the stateless era are made anew for every request; the lists are not.
const known = new WeakMap<readonly AnyTool[], ListedMcpTools>();

/** Writes the tools of a toolbox for `tools/list`, once per toolbox. */
export function listMcpTools({ tools, list }: Pick<Toolbox<readonly AnyTool[]>, 'tools' | 'list'>): ListedMcpTools {
  const found = known.get(tools);
  if (found !== undefined) return found;
  const listed = list();
  const written = (era: McpEra) => new Map(listed.map((tool) => [tool.name, toMcpTool(tool, era)]));
  const made = {
    handshake: written('handshake'),
    stateless: written('stateless'),
    deferred: new Set(listed.flatMap(({ name, deferred }) => (deferred ? [name] : []))),
  };
  known.set(tools, made);
  return made;
}
