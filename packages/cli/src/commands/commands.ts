import type { ContractName } from '../contracts.ts';
import { dialectNames } from '../dialect-names.ts';
import { mcpClients } from '../init/mcp-clients.ts';
import type { Flag } from '../settings/read-arguments.ts';
import type { SettingGroup } from '../settings/settings.ts';
import { callCommands } from './calls/call-commands.ts';
import type { Command } from './command.ts';

const sample: Flag = { kind: 'switch', about: 'Use the built-in sample tools.' };
const json: Flag = { kind: 'switch', about: 'Print JSON for programs.' };
const toolGroups: readonly SettingGroup[] = ['files', 'calls', 'guards'];
const served: readonly SettingGroup[] = [...toolGroups, 'telemetry'];
const all: readonly SettingGroup[] = [...served, 'server', 'access'];
const stdio: Flag = { kind: 'text', value: 'command', about: 'Start this MCP server and read its tools.' };
const lockFlag: Flag = { kind: 'text', value: 'file', about: 'The lock file. Default: toolpact.lock.json.' };
const contractNames: readonly ContractName[] = ['flat', 'coded', 'value', 'status', 'error-type'];
const many = Number.POSITIVE_INFINITY;

/** Flags of every command. */
export const globalFlags: Readonly<Record<string, Flag>> = {
  config: { kind: 'text', value: 'file', about: 'The configuration file. Default: toolpact.config.ts (or .mts, .js, .mjs) here.' },
  'env-file': {
    kind: 'text',
    value: 'file',
    about: 'Read variables from this file, unless they are set already. Default in dev: .env here.',
  },
  'no-color': { kind: 'switch', about: 'No colours. NO_COLOR=1 does the same.' },
  verbose: { kind: 'switch', about: 'Show stack traces.' },
  help: { kind: 'switch', about: 'Show help.' },
};

/** The commands of `toolpact`. */
export const commands: Readonly<Record<string, Command>> = {
  init: {
    takes: '[folder]',
    words: [0, 1],
    summary: 'set up a project: a first tool, its test, settings, scripts',
    about:
      'Writes tools.ts, tools.test.ts, toolpact.config.ts and, if there is none, tsconfig.json. Adds scripts, dependencies and "type": "module" to package.json, and a pointer to the skill for coding agents to AGENTS.md. Shows the line for the framework in your package.json. Never overwrites a file. Asks for confirmation in a terminal.',
    examples: [
      ['toolpact init', 'in this folder'],
      ['toolpact init my-tools --yes', 'in a new folder, without asking'],
    ],
    groups: [],
    flags: { yes: { kind: 'switch', about: 'Do not ask.' } },
    load: async () => (await import('../init/run-init.ts')).runInit,
  },
  dev: {
    takes: '[file…]',
    words: [0, many],
    summary: 'serve tools while you write them; reloads on change',
    about:
      'Serves HTTP and MCP on this machine. When a file changes, a new process with the new tools takes over the port, and the old one finishes its calls. If the new file does not load, the last working tools stay, and the error is shown. Calls are recorded in the store. Runs until Ctrl-C.',
    examples: [
      ['toolpact dev tools.ts', 'serve the tools of a file'],
      ['toolpact dev --sample', 'try the sample tools'],
      ['toolpact dev tools.ts --chaos 0.2', 'see what an agent does when tools fail'],
    ],
    groups: all,
    flags: {
      sample,
      chaos: { kind: 'text', value: 'rate', about: 'Inject faults into this share of all runs, such as 0.2.' },
      'chaos-seed': { kind: 'text', value: 'text', about: 'Chooses the runs that fail; the same seed, the same runs. Default: 1.' },
    },
    readsDotEnv: true,
    load: async () => (await import('./run-dev.ts')).runDev,
  },
  serve: {
    takes: '[file…]',
    words: [0, many],
    summary: 'serve tools in production: JSON log, no watching, drains on SIGTERM',
    about:
      'Exits if the port is taken. A public address requires credentials. On SIGTERM or SIGINT, refuses new calls and lets running ones finish.',
    examples: [
      ['toolpact serve tools.ts --store postgres://db/tools', 'share keys and approvals between processes'],
      ['toolpact serve --host 0.0.0.0 --hosts tools.example.com', 'with TOOLPACT_API_KEYS set'],
      ['toolpact serve tools.ts --inspector', 'with the inspector page'],
    ],
    groups: all,
    flags: {},
    load: async () => (await import('./run-serve.ts')).runServe,
  },
  work: {
    takes: '[file…]',
    words: [0, many],
    summary: 'continue calls whose process died, or that slept or waited',
    about:
      'Polls the store that `serve`, `dev` and `call` use. Any number of workers can share one SQLite file or one PostgreSQL. On SIGTERM or SIGINT, lets running calls finish.',
    examples: [['toolpact work tools.ts --store postgres://db/tools', 'beside any number of servers with the same store']],
    groups: served,
    flags: {},
    load: async () => (await import('./run-work.ts')).runWork,
  },
  inspect: {
    takes: '<url>',
    words: [1, 1],
    summary: 'open the inspector page for any running server',
    about:
      'Serves the page on this machine only, and reads everything else from the server. If the server requires a key or token, enter it in the page.',
    examples: [
      ['toolpact inspect http://127.0.0.1:8787', 'a server on this machine'],
      ['toolpact inspect https://tools.example.com', 'one elsewhere; enter its key in the page'],
    ],
    groups: [],
    flags: { port: { kind: 'text', value: 'n', about: 'The port on this machine, or the next free one. Default: 8788.' } },
    load: async () => (await import('../inspect/run-inspect.ts')).runInspect,
  },
  call: {
    takes: '<tool> [json|-]',
    words: [0, 2],
    summary: 'call one tool; the exit code says what to do next',
    about: 'Prints the result. A failure goes to stderr, unless --json or --dialect prints it.',
    examples: [
      [`toolpact call add '{"a":2,"b":3}' --sample`, 'arguments as JSON'],
      [`toolpact call greet '{"name":"Ann"}' --tools my-tools.ts`, 'a tool of a file that is not named tools.ts'],
      ['toolpact call add - --json --sample < arguments.json', 'arguments from stdin, the whole outcome'],
      ['toolpact call --again 01a1df05-a9a0-78b1-8ab6-000000000007 --sample', 'repeat a recorded call'],
      [`toolpact call add '{"a":2,"b":3}' --url http://127.0.0.1:8787`, 'through a running server'],
    ],
    groups: toolGroups,
    flags: {
      json: { kind: 'switch', about: 'Print the whole outcome.' },
      dialect: { kind: 'text', value: 'name', choices: dialectNames, about: `Print the outcome as ${dialectNames.join(', ')}.` },
      strict: { kind: 'switch', about: 'With --dialect: only documented fields. Default for all but problem.' },
      url: { kind: 'text', value: 'url', about: 'Call through the server at this address, with TOOLPACT_API_KEY.' },
      tenant: { kind: 'text', value: 'id', about: 'The tenant of the call.' },
      key: { kind: 'text', value: 'text', about: 'Idempotency key: calls with the same key run once.' },
      again: { kind: 'text', value: 'id', about: 'Repeat this recorded call, with the same arguments.' },
      approve: { kind: 'switch', about: 'Approve the call if it needs approval. Not with --url.' },
      sample,
    },
    load: async () => (await import('./run-call.ts')).runCall,
  },
  ...callCommands,
  list: {
    takes: '[file…]',
    words: [0, many],
    summary: 'list the tools of a file',
    examples: [
      ['toolpact list tools.ts', ''],
      ['toolpact list --json | jq .[].name', 'for programs'],
    ],
    groups: toolGroups,
    flags: { json, sample },
    load: async () => (await import('./run-list.ts')).runList,
  },
  schema: {
    takes: '[file…]',
    words: [0, many],
    summary: 'print the JSON Schemas of tools',
    examples: [
      ['toolpact schema tools.ts', 'input, output and outcome of every tool'],
      ['toolpact schema --tool add --sample', 'of one tool'],
      ['toolpact schema --tool add --dialect problem --sample', 'of an envelope around its result'],
      ['toolpact schema --openapi --sample', 'the OpenAPI document of a server'],
    ],
    groups: toolGroups,
    flags: {
      tool: { kind: 'text', value: 'name', about: 'Only this tool.' },
      dialect: { kind: 'text', value: 'name', choices: dialectNames, about: 'The envelope of this format instead.' },
      openapi: { kind: 'switch', about: 'The OpenAPI document of a server with these tools.' },
      sample,
    },
    load: async () => (await import('./run-schema.ts')).runSchema,
  },
  check: {
    takes: '[file…|url]',
    words: [0, many],
    summary: 'test tools with generated arguments: of a file, or of any HTTP or MCP server',
    about:
      'Tries every tool with valid, borderline, wrong and hostile arguments made from its schema, and judges names, schemas and answers. Tools that write are not run unless you allow it. Exits with 1 if a tool breaks the contract.',
    examples: [
      ['toolpact check tools.ts', 'the tools of a file'],
      ['toolpact check http://127.0.0.1:8787', 'a server, or an address that ends in /mcp'],
      ['toolpact check --stdio "npx -y some-mcp-server"', 'start an MCP server and check it'],
      ['toolpact check tools.ts --compliance --contract flat', 'which tools follow the contract of an origin'],
      ['toolpact check --junit report.xml --strict', 'in CI'],
      ['toolpact check tools.ts --crash --allow-writes', 'find what is done twice when processes die'],
    ],
    groups: toolGroups,
    flags: {
      json: { kind: 'switch', about: 'Print the whole report as JSON.' },
      compliance: { kind: 'switch', about: 'Print which tools follow the contract, as a Markdown table.' },
      contract: {
        kind: 'text',
        value: 'name',
        choices: contractNames,
        about: `Also judge by the contract of an origin: ${contractNames.join(', ')}.`,
      },
      crash: {
        kind: 'switch',
        about: 'Instead, kill the process of each writing tool before and after each effect, and lose answers. Needs --allow-writes.',
      },
      junit: { kind: 'text', value: 'file', about: 'Also write the report as JUnit XML.' },
      strict: { kind: 'switch', about: 'Fail for advice, too.' },
      seed: { kind: 'text', value: 'n', about: 'Seed of the generated arguments. Default: 1.' },
      only: { kind: 'text', value: 'words', about: 'Only these tools, checks or groups of checks, separated by commas.' },
      'allow-writes': { kind: 'switch', about: 'Run tools that write, too. Their effects are real.' },
      patience: { kind: 'text', value: 'ms', about: 'How long one call may take. Default: 2000.' },
      stdio,
      sample,
    },
    load: async () => (await import('./run-check.ts')).runCheck,
  },
  explain: {
    takes: '[id]',
    words: [0, 1],
    summary: 'explain a check: what it requires, why, and how to pass it',
    examples: [
      ['toolpact explain', 'all checks'],
      ['toolpact explain tools/refuses-invalid', 'one of them'],
    ],
    groups: [],
    flags: { json },
    load: async () => (await import('./run-explain.ts')).runExplain,
  },
  lock: {
    takes: '[file…|url]',
    words: [0, many],
    summary: 'take a snapshot of what your tools promise',
    about: 'Stores the schemas, effects, failure codes and a fingerprint of each tool. Commit the file with your tools.',
    examples: [['toolpact lock tools.ts', 'writes toolpact.lock.json']],
    groups: toolGroups,
    flags: { lock: lockFlag, stdio, sample },
    load: async () => (await import('./run-lock.ts')).runLock,
  },
  diff: {
    takes: '[file…|url]',
    words: [0, many],
    summary: 'show what changed since `lock`, and which changes break callers',
    about:
      'Exits with 1 for a breaking change: a removed tool, field or failure code, a narrower input, a wider output, effects that were raised.',
    examples: [
      ['toolpact diff tools.ts', 'in words'],
      ['toolpact diff --json', 'for programs'],
    ],
    groups: toolGroups,
    flags: { json, lock: lockFlag, stdio, sample },
    load: async () => (await import('./run-diff.ts')).runDiff,
  },
  translate: {
    takes: '[file|-]',
    words: [0, 1],
    summary: 'convert a result from one format to another',
    about: 'Reads JSON from a file or stdin. The format is detected if its shape is unmistakable.',
    examples: [
      ['toolpact translate --from coded --to problem answer.json', ''],
      ['curl -s … | toolpact translate --to outcome', 'as an outcome'],
    ],
    groups: [],
    flags: {
      from: { kind: 'text', value: 'name', choices: dialectNames, about: 'The source format.' },
      to: { kind: 'text', value: 'name', choices: [...dialectNames, 'outcome'], about: 'The target format. Required.' },
      strict: { kind: 'switch', about: 'Only documented fields.' },
    },
    load: async () => (await import('./run-translate.ts')).runTranslate,
  },
  mcp: {
    takes: '[file…]',
    words: [0, many],
    summary: 'serve tools to one MCP client over stdin and stdout',
    about: 'For clients that start their servers themselves. Output of the tools goes to stderr.',
    examples: [
      ['toolpact mcp tools.ts', 'as the command of an MCP client'],
      ['toolpact mcp tools.ts --print-config cursor', 'the entry for a client, with absolute paths'],
    ],
    groups: served,
    flags: {
      sample,
      'print-config': {
        kind: 'text',
        value: 'client',
        choices: Object.keys(mcpClients),
        about: `Print the settings with which ${Object.keys(mcpClients).join(', ')} starts this server.`,
      },
    },
    load: async () => (await import('./run-mcp.ts')).runMcp,
  },
  operate: {
    takes: '[url]',
    words: [0, 1],
    summary: 'let a coding agent inspect the calls of a running server',
    about:
      'An MCP server over stdin and stdout. Its tools ask the server at this address, with TOOLPACT_API_KEY if it is set: list_calls, why, readings, break_tool, rerun_safe, keep_as_test, diff_calls, check_tools, health, list_approvals. `toolpact dev` also serves them itself, at /operator/mcp. Default: http://127.0.0.1:8787.',
    examples: [
      ['toolpact operate', 'as the command of an MCP client, beside toolpact dev'],
      ['toolpact operate https://tools.example.com', 'a server elsewhere'],
    ],
    groups: [],
    flags: { decide: { kind: 'switch', about: 'Also offer decide_approval: the agent can then approve calls.' } },
    load: async () => (await import('./run-operate.ts')).runOperate,
  },
  wrap: {
    takes: '[url | -- command…]',
    words: [0, many],
    summary: 'add deadlines, approvals, keys and limits to any MCP server',
    about:
      'Starts the server whose command follows --, or connects to an address, and serves its tools, resources and prompts to the MCP client that started this process, or over HTTP with --port or --host. A file names several servers, and rules for their tools.',
    examples: [
      ['toolpact wrap -- npx -y @modelcontextprotocol/server-filesystem ~/notes', 'as the command of an MCP client'],
      ['toolpact wrap https://example.com/mcp --port 8787', 'over HTTP'],
      ['toolpact wrap --config gateway.yaml', 'several servers, with rules'],
      ['toolpact wrap --accept --config gateway.yaml', 'review what servers changed in their tools, and accept it'],
      ['toolpact wrap --write-config claude-desktop', 'wrap every server of Claude Desktop; --undo reverts it'],
      ['toolpact wrap --suggest -- npx -y some-mcp-server > gateway.yaml', 'draft a file from what a server lists'],
    ],
    groups: all,
    flags: {
      config: { kind: 'text', value: 'file', about: 'The file with servers and rules: YAML, or a module with a default export.' },
      suggest: { kind: 'switch', about: 'Draft a file with rules from what the servers list, and print it.' },
      lock: {
        kind: 'text',
        value: 'file',
        about: 'The lock file with the accepted contracts. Default: toolpact.lock.json beside the file of --config, or in .toolpact here.',
      },
      drift: {
        kind: 'text',
        value: 'mode',
        choices: ['block', 'ask', 'warn'],
        about: 'How to treat a tool whose contract has changed: refuse its calls (the default), ask a person, or only warn.',
      },
      'write-config': {
        kind: 'text',
        value: 'client',
        choices: ['claude-desktop', 'cursor'],
        about: 'Wrap each server in the settings of this client. Shows the change first, and keeps a copy of the file.',
      },
      undo: { kind: 'switch', about: 'With --write-config: unwrap the servers again.' },
      'client-file': { kind: 'text', value: 'file', about: 'With --write-config: the settings file of the client, if it is elsewhere.' },
      accept: { kind: 'switch', about: 'Show which tools have changed since they were accepted, and accept the changes.' },
      header: {
        kind: 'texts',
        value: 'header',
        about: 'A header for the address, such as "Authorization: Bearer …". May be repeated.',
      },
    },
    readsOwnConfig: true,
    load: async () => (await import('../wrap/run-wrap.ts')).runWrap,
  },
  key: {
    takes: '<tenant> [scope…]',
    words: [1, many],
    summary: 'create an API key, and the line that a server needs to accept it',
    examples: [
      ['toolpact key acme', 'may call every tool'],
      ['toolpact key acme admin tools:call:*', 'may also administer'],
    ],
    groups: [],
    flags: { json },
    load: async () => (await import('./run-key.ts')).runKey,
  },
};
