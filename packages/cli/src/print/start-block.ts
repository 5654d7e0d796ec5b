import type { ListedTool } from 'toolpact';
import { sampleValue } from 'toolpact/internal';
import { quoteWord } from './quote-word.ts';
import type { Paint } from './terminal.ts';

/** The facts about a server that has started. */
export interface Started {
  readonly url: string;
  readonly tools: readonly ListedTool[];
  /** Where calls are recorded; undefined where they are not. */
  readonly records: string | undefined;
  readonly hasInspector: boolean;
  /** Whether a coding agent can look into calls. */
  readonly hasOperator: boolean;
  readonly hasMcp: boolean;
  readonly hasAuth: boolean;
  readonly watches: boolean;
}

/** The tools that come with guards; they are not the author's, and they have nothing to read yet. */
export const addedTools: readonly string[] = ['read_result', 'wait_for_result'];

/** Writes everything that is needed to make the first call, each line ready to be pasted. */
export function startBlock(started: Started, paint: Paint): string {
  const { url, tools, records, hasInspector, hasOperator, hasMcp, hasAuth, watches } = started;
  const names = tools.map(({ name }) => name).filter((name) => !addedTools.includes(name));
  const rows: readonly (readonly [string, string])[] = [
    ['Local', paint('link', url)],
    ...(hasInspector ? [['Inspector', paint('link', `${url}/inspector/`)] as const] : []),
    ...(hasMcp ? [['MCP', paint('link', `${url}/mcp`)] as const] : []),
    ...(hasOperator ? [['Operator', `${paint('link', `${url}/operator/mcp`)} for coding agents`] as const] : []),
    ['Tools', `${names.slice(0, 8).join(', ')}${names.length > 8 ? ` and ${names.length - 8} more` : ''}`],
    records === undefined ? ['Calls', 'not recorded'] : ['History', records],
  ];
  const key = hasAuth ? ', "headers": { "Authorization": "Bearer <your key>" }' : '';
  const config = `{ "mcpServers": { "toolpact": { "type": "http", "url": "${url}/mcp"${key} } } }`;
  return `
  ${paint('strong', 'Toolpact is ready')}

${rows.map(([left, right]) => `  ${paint('dim', left.padEnd(9))} ${right}`).join('\n')}
${hasMcp ? `\n  ${paint('dim', 'For an MCP client:')}\n\n  ${config}\n` : ''}
  ${paint('dim', 'Try it:')}

  ${curlLine(url, tools, hasAuth)}

  ${paint('dim', `${watches ? 'Watching for changes. ' : ''}Ctrl-C stops.`)}

`;
}

/** Writes a curl command that calls a tool: the first one that changes nothing, because it is pasted only to see an answer. */
export function curlLine(url: string, tools: readonly ListedTool[], hasAuth: boolean): string {
  const ownTools = tools.filter(({ name }) => !addedTools.includes(name));
  const tool = ownTools.find(({ effects }) => effects === 'none') ?? ownTools[0];
  if (tool === undefined) return `curl -s ${url}/v1/tools`;
  const input = tool.examples[0]?.input ?? sampleValue(tool.inputSchema, tool.inputSchema);
  const auth = hasAuth ? ' -H "authorization: Bearer $TOOLPACT_API_KEY"' : '';
  return `curl -s ${url}/v1/tools/${encodeURIComponent(tool.name)}${auth} -H 'content-type: application/json' -d ${quoteWord(JSON.stringify(input))}`;
}
