/** A published MCP server and how it is started in a box of its own. */
export interface FieldServer {
  /** The npm package, and the version that was measured. */
  readonly name: string;
  readonly version: string;
  /** The file that is started, below the package. */
  readonly file: string;
  /** `{box}` stands for the folder that is its own. */
  readonly words?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Whether tools that write may run: all they can reach is their box. */
  readonly mayWrite?: true;
  /** Tools that are not run with arguments that fit, and why. */
  readonly leaveOut?: Readonly<Record<string, string>>;
  /** Needs the network for its work and is measured without: how does it tell? */
  readonly isCutOff?: true;
}

/** Published servers that start and list their tools offline, over stdio. */
export const fieldServers: readonly FieldServer[] = [
  {
    name: '@modelcontextprotocol/server-everything',
    version: '2026.8.31',
    file: 'dist/index.js',
    words: ['stdio'],
    leaveOut: {
      'trigger-long-running-operation': 'takes ten seconds by design',
      'get-annotated-message': 'makes up an error by design',
    },
  },
  {
    name: '@modelcontextprotocol/server-filesystem',
    version: '2026.8.31',
    file: 'dist/index.js',
    words: ['{box}'],
    mayWrite: true,
  },
  {
    name: '@modelcontextprotocol/server-memory',
    version: '2026.8.31',
    file: 'dist/index.js',
    env: { MEMORY_FILE_PATH: '{box}/memory.jsonl' },
    mayWrite: true,
  },
  { name: '@modelcontextprotocol/server-sequential-thinking', version: '2026.8.31', file: 'dist/index.js', mayWrite: true },
  { name: '@modelcontextprotocol/server-pdf', version: '2.0.4', file: 'dist/index.js', words: ['--stdio', '{box}'], mayWrite: true },
  {
    name: '@cyanheads/git-mcp-server',
    version: '2.15.3',
    file: 'dist/index.js',
    env: { MCP_TRANSPORT_TYPE: 'stdio', GIT_BASE_DIR: '{box}', GIT_ALLOW_PROTOCOL: 'file' },
  },
  { name: '@eslint/mcp', version: '0.3.13', file: 'src/mcp-cli.js', mayWrite: true },
  { name: 'mcp-hello-world', version: '1.1.2', file: 'build/stdio.js', mayWrite: true },
  { name: '@upstash/context7-mcp', version: '4.1.1', file: 'dist/index.js', isCutOff: true },
  { name: '@antv/mcp-server-chart', version: '0.9.10', file: 'build/index.js', isCutOff: true },
  {
    name: 'tavily-mcp',
    version: '0.2.22',
    file: 'build/index.js',
    env: { TAVILY_API_KEY: 'tvly-dev-not-a-key' },
    mayWrite: true,
    isCutOff: true,
  },
];
