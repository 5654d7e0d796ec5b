/** The tools that Toolpact adds to those of a server. */
const addedTools: ReadonlySet<string> = new Set(['read_result', 'wait_for_result', 'search_tools', 'call_tool']);

/** Checks whether Toolpact added a tool. */
export function isAddedTool({ name }: { readonly name: string }): boolean {
  return addedTools.has(name);
}
