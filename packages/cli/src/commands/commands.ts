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
const stdio: Flag = { kind: 'text', value: 'command', about: 'Start this MCP server and look at its tools.' };
const lockFlag: Flag = { kind: 'text', value: 'file', about: 'The file that keeps what tools promised. Default: toolpact.lock.json.' };
const contractNames: readonly ContractName[] = ['flat', 'coded', 'value', 'status', 'error-type'];
const many = Number.POSITIVE_INFINITY;

/** Flags of every command. */
export const globalFlags: Readonly<Record<string, Flag>> = {
  config: { kind: 'text', value: 'file', about: 'The configuration file. Default: toolpact.config.ts (or .mts, .js, .mjs) here.' },
  'env-file': { kind: 'text', value: 'file', about: 'Set the variables of this file that are not set yet. Default in dev: .env here.' },
  'no-color': { kind: 'switch', about: 'No colours. NO_COLOR=1 does the same.' },
  verbose: { kind: 'switch', about: 'Show stack traces.' },
  help: { kind: 'switch', about: 'Show help.' },
};

/** The commands of `toolpact`. */
export const commands: Readonly<Record<string, Command>> = {
  init: {
    takes: '[folder]',
    words: [0, 1],
    summary: 'make a project ready for tools: a first tool, its test, settings, scripts',
    about:
      'Writes tools.ts, tools.test.ts, toolpact.config.ts and, where there is none, tsconfig.json, and adds scripts, dependencies and "type": "module" to package.json, and to AGENTS.md where coding agents find the skill. Finds the framework that package.json names and shows its line. Replaces no file. Asks first where a person is there.',
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
    summary: 'serve tools while you write them: reloads on change, keeps history',
    about:
      'Serves HTTP and MCP on this machine. When a file changes, a new process with the new tools takes over the port, and the one before finishes its calls; when the new file does not load, the last good tools stay and the mistake is shown. Calls are kept in the store. Runs until Ctrl-C, with or without a terminal.',
    examples: [
      ['toolpact dev tools.ts', 'serve the tools of a file'],
      ['toolpact dev --sample', 'try it with built-in tools'],
      ['toolpact dev tools.ts --chaos 0.2', 'see what an agent does when tools fail'],
      ['toolpact dev tools.ts --engine restate', 'run calls on a durable engine, started for the occasion'],
    ],
    groups: all,
    flags: {
      sample,
      engine: { kind: 'text', value: 'name', about: 'Start a durable engine and run calls on it: restate.' },
      chaos: { kind: 'text', value: 'rate', about: 'Make this share of all runs go wrong on purpose, such as 0.2.' },
      'chaos-seed': { kind: 'text', value: 'text', about: 'Which runs go wrong; the same seed, the same runs. Default: 1.' },
    },
    readsDotEnv: true,
    load: async () => (await import('./run-dev.ts')).runDev,
  },
  serve: {
    takes: '[file…]',
    words: [0, many],
    summary: 'serve tools in production: JSON log, no watching, drains on SIGTERM',
    about:
      'Exits when the port is taken. A public address needs credentials. SIGTERM and SIGINT stop taking calls and let those in flight finish.',
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
    summary: 'take over calls whose process died, or that slept or waited',
    about:
      'Looks through the store in which `serve`, `dev` and `call` keep their calls. Any number of workers share one SQLite file or one PostgreSQL. SIGTERM and SIGINT let running calls finish.',
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
      'Serves the page on this machine alone and asks the server at the address for everything else. A key or token that the server asks for is entered in the page and kept in its memory.',
    examples: [
      ['toolpact inspect http://127.0.0.1:8787', 'a server of this machine'],
      ['toolpact inspect https://tools.example.com', 'one elsewhere; enter its key in the page'],
    ],
    groups: [],
    flags: { port: { kind: 'text', value: 'n', about: 'The port on this machine; the next free one where it is taken. Default: 8788.' } },
    load: async () => (await import('../inspect/run-inspect.ts')).runInspect,
  },
  call: {
    takes: '<tool> [json|-]',
    words: [0, 2],
    summary: 'call one tool; the exit code says what to do next',
    about: 'Prints the data of the result. What went wrong goes to stderr, unless --json or --dialect prints it.',
    examples: [
      [`toolpact call add '{"a":2,"b":3}' --sample`, 'arguments as JSON'],
      [`toolpact call greet '{"name":"Ann"}' --tools my-tools.ts`, 'a tool of a file that is not named tools.ts'],
      ['toolpact call add - --json --sample < arguments.json', 'arguments from stdin, the whole outcome'],
      ['toolpact call --again 01a1df05-a9a0-78b1-8ab6-000000000007 --sample', 'a recorded call once more'],
      [`toolpact call add '{"a":2,"b":3}' --url http://127.0.0.1:8787`, 'through a server that runs'],
    ],
    groups: toolGroups,
    flags: {
      json: { kind: 'switch', about: 'Print the whole outcome.' },
      dialect: { kind: 'text', value: 'name', choices: dialectNames, about: `Print the outcome as ${dialectNames.join(', ')}.` },
      strict: { kind: 'switch', about: 'With --dialect: only the fields the format documents. Default for all but problem.' },
      url: { kind: 'text', value: 'url', about: 'Call through the server at this address; TOOLPACT_API_KEY is sent along.' },
      tenant: { kind: 'text', value: 'id', about: 'The tenant of the call.' },
      key: { kind: 'text', value: 'text', about: 'Idempotency key: calls with the same one happen once.' },
      again: { kind: 'text', value: 'id', about: 'Make this recorded call once more, with the same arguments.' },
      approve: { kind: 'switch', about: 'Allow the call if it asks for an approval. Not with --url.' },
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
      ['toolpact schema --openapi --sample', 'what a server says about itself'],
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
    summary: 'check tools, of a file or of any HTTP or MCP server, against the contract',
    about:
      'Tries every tool with valid, borderline, wrong and hostile arguments made from its schema, and judges names, schemas and answers. Tools that write are not run unless you allow it. Ends with 1 when a tool breaks what it must keep.',
    examples: [
      ['toolpact check tools.ts', 'the tools of a file'],
      ['toolpact check http://127.0.0.1:8787', 'a server, or an address that ends in /mcp'],
      ['toolpact check --stdio "npx -y some-mcp-server"', 'an MCP server that is started for it'],
      ['toolpact check tools.ts --compliance --contract flat', 'which tools follow one of the contracts of origin'],
      ['toolpact check --junit report.xml --strict', 'in CI'],
      ['toolpact check tools.ts --crash --allow-writes', 'what is done twice when processes die and answers are lost'],
    ],
    groups: toolGroups,
    flags: {
      json: { kind: 'switch', about: 'Print the whole report as JSON.' },
      compliance: { kind: 'switch', about: 'Print which tools follow the contract, as a Markdown table.' },
      contract: {
        kind: 'text',
        value: 'name',
        choices: contractNames,
        about: `Judge by one of the five contracts of origin too: ${contractNames.join(', ')}.`,
      },
      crash: {
        kind: 'switch',
        about: 'Instead, let the process of each writing tool die around everything it does, and lose answers. With --allow-writes.',
      },
      junit: { kind: 'text', value: 'file', about: 'Write the report as JUnit XML too.' },
      strict: { kind: 'switch', about: 'Fail for what could be better too.' },
      seed: { kind: 'text', value: 'n', about: 'What inputs are drawn from; the same seed draws the same. Default: 1.' },
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
    summary: 'explain what a check wants, why, and how to pass it',
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
    summary: 'write down what tools promise, to see later what changed',
    about: 'Keeps schemas, effects, failure codes and a fingerprint of each tool. Commit the file with the tools.',
    examples: [['toolpact lock tools.ts', 'writes toolpact.lock.json']],
    groups: toolGroups,
    flags: { lock: lockFlag, stdio, sample },
    load: async () => (await import('./run-lock.ts')).runLock,
  },
  diff: {
    takes: '[file…|url]',
    words: [0, many],
    summary: 'show what changed since tools were locked, and what of it breaks callers',
    about:
      'Ends with 1 when something breaks: a removed tool, field or failure code, a narrower input, a wider output, effects that were raised.',
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
    summary: 'turn a result in one format into another',
    about: 'Reads JSON from a file or stdin. The format is recognised by itself where its shape is unmistakable.',
    examples: [
      ['toolpact translate --from coded --to problem answer.json', ''],
      ['curl -s … | toolpact translate --to outcome', 'everything that can be read out of it'],
    ],
    groups: [],
    flags: {
      from: { kind: 'text', value: 'name', choices: dialectNames, about: 'The format it is in.' },
      to: { kind: 'text', value: 'name', choices: [...dialectNames, 'outcome'], about: 'The format wanted. Needed.' },
      strict: { kind: 'switch', about: 'Only the fields the format documents.' },
    },
    load: async () => (await import('./run-translate.ts')).runTranslate,
  },
  mcp: {
    takes: '[file…]',
    words: [0, many],
    summary: 'serve tools to one MCP client over stdin and stdout',
    about: 'For clients that start their servers themselves. Whatever the tools print goes to stderr.',
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
        about: `Print what ${Object.keys(mcpClients).join(', ')} needs to start this server.`,
      },
    },
    load: async () => (await import('./run-mcp.ts')).runMcp,
  },
  operate: {
    takes: '[url]',
    words: [0, 1],
    summary: 'let a coding agent look into the calls of a running server',
    about:
      'An MCP server over stdin and stdout. Its tools ask the server at this address, with TOOLPACT_API_KEY where it is set: list_calls, why, readings, break_tool, rerun_safe, keep_as_test, diff_calls, check_tools, health, list_approvals. `toolpact dev` also serves them itself, at /operator/mcp. Default: http://127.0.0.1:8787.',
    examples: [
      ['toolpact operate', 'as the command of an MCP client, beside toolpact dev'],
      ['toolpact operate https://tools.example.com', 'a server elsewhere'],
    ],
    groups: [],
    flags: { decide: { kind: 'switch', about: 'Offer decide_approval too: the agent then answers for people.' } },
    load: async () => (await import('./run-operate.ts')).runOperate,
  },
  wrap: {
    takes: '[url | -- command…]',
    words: [0, many],
    summary: 'put any MCP server under the contract: deadlines, approvals, keys, limits',
    about:
      'Starts the server that the words behind -- name, or connects to an address, and serves its tools, resources and prompts to the MCP client that started this process; with --port or --host over HTTP. Several servers and the rules for their tools are named in a file.',
    examples: [
      ['toolpact wrap -- npx -y @modelcontextprotocol/server-filesystem ~/notes', 'as the command of an MCP client'],
      ['toolpact wrap https://example.com/mcp --port 8787', 'over HTTP'],
      ['toolpact wrap --config gateway.yaml', 'several servers, with rules'],
      ['toolpact wrap --accept --config gateway.yaml', 'read what servers changed in their tools, and accept it'],
      ['toolpact wrap --write-config claude-desktop', 'before every server that Claude Desktop has; --undo takes it away'],
      ['toolpact wrap --suggest -- npx -y some-mcp-server > gateway.yaml', 'a first file, from what a server lists'],
    ],
    groups: all,
    flags: {
      config: { kind: 'text', value: 'file', about: 'The file with servers and rules: YAML, or a module with a default export.' },
      suggest: { kind: 'switch', about: 'Print a first file with rules, from what the servers list.' },
      lock: {
        kind: 'text',
        value: 'file',
        about:
          'The file that keeps the contracts of tools as they were accepted. Default: toolpact.lock.json beside the file of --config, or in .toolpact here.',
      },
      drift: {
        kind: 'text',
        value: 'mode',
        choices: ['block', 'ask', 'warn'],
        about:
          'What becomes of a tool whose contract has changed: it does not run (the default), a person is asked, or a warning is written.',
      },
      'write-config': {
        kind: 'text',
        value: 'client',
        choices: ['claude-desktop', 'cursor'],
        about: 'Put the gateway before each server in the settings of this client. Shows what changes, and keeps the file as it was.',
      },
      undo: { kind: 'switch', about: 'With --write-config: take the gateway away again.' },
      'client-file': { kind: 'text', value: 'file', about: 'With --write-config: the settings of the client, where they lie elsewhere.' },
      accept: { kind: 'switch', about: 'Show which tools have changed since they were accepted, and accept them as they are now.' },
      header: {
        kind: 'texts',
        value: 'header',
        about: 'Sent to the address, such as "Authorization: Bearer …". May be given several times.',
      },
    },
    readsOwnConfig: true,
    load: async () => (await import('../wrap/run-wrap.ts')).runWrap,
  },
  key: {
    takes: '<tenant> [scope…]',
    words: [1, many],
    summary: 'make an API key, and the line that a server needs to accept it',
    examples: [
      ['toolpact key acme', 'may call every tool'],
      ['toolpact key acme admin tools:call:*', 'may administer too'],
    ],
    groups: [],
    flags: { json },
    load: async () => (await import('./run-key.ts')).runKey,
  },
};
