/** A client of MCP that starts its servers itself, and where it keeps its list of servers. */
export interface McpClient {
  readonly name: string;
  readonly file: string;
  /** Writes the entry of one server, as the client's file holds it. */
  readonly write: (server: string, command: McpCommand) => object;
}

/** How a client starts a server. */
export interface McpCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Returns the command with which a client starts `toolpact mcp`, wherever it does so. On Windows clients start no scripts, and npx is one. */
export function npxCommand(words: readonly string[], platform: NodeJS.Platform = process.platform): McpCommand {
  const args = ['-y', '@toolpact/cli', 'mcp', ...words];
  return platform === 'win32' ? { command: 'cmd', args: ['/c', 'npx', ...args] } : { command: 'npx', args };
}

const listed = (server: string, command: McpCommand) => ({ mcpServers: { [server]: command } });

/** The clients that `toolpact mcp --print-config` knows. */
export const mcpClients: Readonly<Record<string, McpClient>> = {
  'claude-desktop': { name: 'Claude Desktop', file: 'claude_desktop_config.json (Settings, Developer, Edit Config)', write: listed },
  'claude-code': { name: 'Claude Code', file: '.mcp.json of your project', write: listed },
  cursor: { name: 'Cursor', file: '.cursor/mcp.json of your project, or ~/.cursor/mcp.json', write: listed },
  vscode: {
    name: 'VS Code',
    file: '.vscode/mcp.json of your project',
    write: (server, command) => ({ servers: { [server]: { type: 'stdio', ...command } } }),
  },
};
