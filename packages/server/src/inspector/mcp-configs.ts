import type { McpConfig } from './page-answers.ts';

interface HttpClient {
  readonly client: string;
  readonly file: string;
  readonly write: (name: string, entry: { readonly url: string; readonly headers?: object }) => object;
}

/** Clients that reach a server by its address. */
const clients: readonly HttpClient[] = [
  {
    client: 'Claude Code',
    file: '.mcp.json of your project',
    write: (name, entry) => ({ mcpServers: { [name]: { type: 'http', ...entry } } }),
  },
  { client: 'Cursor', file: '.cursor/mcp.json of your project', write: (name, entry) => ({ mcpServers: { [name]: entry } }) },
  {
    client: 'VS Code',
    file: '.vscode/mcp.json of your project',
    write: (name, entry) => ({ servers: { [name]: { type: 'http', ...entry } } }),
  },
  {
    client: 'Any MCP client',
    file: 'its list of servers',
    write: (name, entry) => ({ mcpServers: { [name]: { type: 'http', ...entry } } }),
  },
];

/** Writes what clients of MCP need to reach a server at an address. */
export function toMcpConfigs(name: string, url: string, hasAuth: boolean): readonly McpConfig[] {
  const entry = { url, ...(hasAuth && { headers: { Authorization: 'Bearer <your key>' } }) };
  return clients.map(({ client, file, write }) => ({ client, file, text: JSON.stringify(write(name, entry), null, 2) }));
}
