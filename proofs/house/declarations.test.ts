import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packages } from './own-packages.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const project = mkdtempSync(join(tmpdir(), 'toolpact-declarations-'));
const compilerOptions = {
  target: 'ES2023',
  module: 'NodeNext',
  strict: true,
  declaration: true,
  emitDeclarationOnly: true,
  skipLibCheck: true,
  // Without this the package would lie outside of node_modules, and every file of it could be named.
  preserveSymlinks: true,
  types: [],
};

/** Programs of other people that export what they made without writing its type. Each loads only the entries it imports. */
const programs = {
  'tools and a toolbox': `
    import { createToolbox, defineTool } from 'toolpact';
    export const ping = defineTool({ name: 'ping', description: 'Pings.', run: () => 'pong' });
    export const toolbox = createToolbox([ping]);
    export const answer = () => toolbox.call('ping', {});`,
  'parts of what calls and handlers give': `
    import { catalogue, ok, partial, pending, type Failure, type ListedCall, type RecordedCall } from 'toolpact';
    export const upstreamOf = (failure: Failure) => failure.upstream;
    export const row = catalogue.internal;
    export const replies = [ok(1), partial([1], []), pending({ handle: 'a', reason: 'host' })];
    export const traceOf = (call: RecordedCall) => call.trace;
    export const decisionsOf = (call: RecordedCall) => call.trace?.guards;
    export const progressOf = (call: ListedCall) => call.progress;`,
  'guards and a store': `
    import { createToolbox } from 'toolpact';
    import { rateLimit, repeatBreaker, spill } from 'toolpact/guards';
    import { containStrays } from 'toolpact/guards/contain-strays';
    import { memoryStore } from 'toolpact/stores/memory';
    export const store = memoryStore();
    export const guards = [repeatBreaker(), rateLimit({ store, limit: 1, windowMs: 1 }), containStrays()];
    export const large = spill({ store });
    export const toolbox = createToolbox([], { store, use: [large] });
    export const decide = toolbox.approvals.decide;
    export const { list, watch, wait, rerun, resume } = toolbox.calls;`,
  'a worker': `
    import { type CallsOptions, createToolbox, createWorker, type WorkerOptions } from 'toolpact';
    import { sqliteStore } from 'toolpact/stores/sqlite';
    const store = sqliteStore('a.db');
    export const start = (calls: CallsOptions, options: WorkerOptions) => createWorker(createToolbox([], { store, calls }), options);`,
  'a store alone': `
    import { sqliteStore } from 'toolpact/stores/sqlite';
    export const store = sqliteStore('a.db');`,
  dialects: `
    import * as all from 'toolpact/dialects';
    import { coded } from '@toolpact/origins/coded';
    import { flat } from '@toolpact/origins/flat';
    import { status } from '@toolpact/origins/status';
    import { value } from '@toolpact/origins/value';
    export const { mcp, openai, anthropic, gemini, problem, dialects } = all;
    export const origins = { flat, coded, status, value };
    export const read = () => flat.decode({});`,
  'telemetry and resources': `
    import { createResources } from 'toolpact';
    import { openTelemetry } from 'toolpact/telemetry';
    export const telemetry = openTelemetry();
    export const resources = createResources([]);
    export const created = () => resources.create({ type: 'kernel' });
    export const closed = () => resources.close();
    export const warm = resources.warmUps();
    export const counts = resources.count();`,
  'a check': `
    import { defineCheck, record } from '@toolpact/testing';
    export const short = defineCheck({ id: 'acme/short', requirement: 'Is short.', level: 'must', *run(text: string) { if (text.length > 9) yield { message: text }; } });
    export const recorder = record();`,
  'tools for frameworks': `
    import { createToolbox, defineTool } from 'toolpact';
    import * as adk from 'toolpact/adapters/adk';
    import * as aiSdk from 'toolpact/adapters/ai-sdk';
    import * as genkit from 'toolpact/adapters/genkit';
    import * as langchain from 'toolpact/adapters/langchain';
    import * as mastra from 'toolpact/adapters/mastra';
    import * as openaiAgents from 'toolpact/adapters/openai-agents';
    import * as strands from 'toolpact/adapters/strands';
    import * as tanstackAi from 'toolpact/adapters/tanstack-ai';
    const toolbox = createToolbox([defineTool({ name: 'ping', description: 'Pings.', run: () => 'pong' })]);
    export const aiSdkOptions = aiSdk.toRunOptions(toolbox);
    export const aiSdkTools = aiSdk.toTools(toolbox);
    export const agentOptions = openaiAgents.toRunOptions(toolbox);
    export const agentTools = openaiAgents.toTools(toolbox);
    export const adkTools = adk.toTools(toolbox);
    export const adkCallback = adk.toBeforeModelCallback(toolbox);
    export const genkitTools = genkit.toTools(toolbox);
    export const genkitMiddleware = genkit.toMiddleware(toolbox);
    export const langchainTools = langchain.toTools(toolbox);
    export const langchainMiddleware = langchain.toMiddleware(toolbox);
    export const mastraTools = mastra.toTools(toolbox);
    export const mastraProcessor = mastra.toInputProcessor(toolbox);
    export const strandsTools = strands.toTools(toolbox);
    export const strandsPlugin = strands.toPlugin(toolbox);
    export const tanstackTools = tanstackAi.toTools(toolbox);
    export const tanstackOptions = (adapter: Parameters<typeof tanstackAi.toRunOptions>[1]) => tanstackAi.toRunOptions(toolbox, adapter);`,
  'tools of an MCP server': `
    import { createToolbox } from 'toolpact';
    import { fromMcp, toMcpServer } from 'toolpact/adapters/mcp';
    export const remote = (client: Parameters<typeof fromMcp>[0]) => fromMcp(client);
    export const skipped = async (client: Parameters<typeof fromMcp>[0]) => (await fromMcp(client)).skipped;
    export const serve = <T extends Parameters<typeof toMcpServer>[1]['server']>(server: T) => toMcpServer(createToolbox([]), { server });`,
  'events and sessions': `
    import { createSession, stateSlice } from '@toolpact/origins/value';
    import { type ToolpactEvent } from 'toolpact';
    export const deniedOf = (event: ToolpactEvent) => (event.type === 'denied' ? event : undefined);
    export const stepOf = (event: ToolpactEvent) => (event.type === 'step-start' || event.type === 'step-end' ? event : undefined);
    export const session = createSession({ slices: { carts: stateSlice<{ id: string }>({ key: ({ id }) => id }) } });
    export const snapshot = session.snapshot();
    export const stats = session.stats();`,
  'a server, a client, packs and checks': `
    import { defineTool } from 'toolpact';
    import { createClient } from '@toolpact/server/client';
    import { lockTools, record, reportOnTools } from '@toolpact/testing';
    import { contextFromHeaders } from '@toolpact/origins/status';
    import { defineResource } from 'toolpact';
    import { coded, responseTimer } from '@toolpact/origins/coded';
    import { flat } from '@toolpact/origins/flat';
    import { translate } from 'toolpact/dialects';
    import { fromOpenApi } from '@toolpact/openapi';
    import { createSafeFetch } from '@toolpact/openapi';
    import { createSandbox } from '@toolpact/origins/coded/tools';
    import { apiKeys, createServer, type ServedToolbox } from '@toolpact/server';
    export const serve = (toolbox: ServedToolbox) => createServer(toolbox, { auth: apiKeys([]) });
    export const client = createClient('http://127.0.0.1:1');
    export const sessions = () => client.sessions.list();
    export const report = (toolbox: ServedToolbox) => reportOnTools(toolbox);
    export const lock = (toolbox: ServedToolbox) => lockTools(toolbox);
    export const recorder = record();
    export const fetchSafely = createSafeFetch();
    export const page = () => fetchSafely('https://example.com', {});
    export const sandbox = createSandbox();
    export const pets = fromOpenApi({});
    export const define = defineTool.withContext<{ db: string }>();
    export const resource = defineResource({ type: 'kernel', open: () => ({ run: () => 1 }) });
    export const timer = responseTimer();
    export const translated = translate({}, flat, coded);
    export const context = contextFromHeaders({});`,
  'a guard and a store of their author': `
    import { createToolbox } from 'toolpact';
    import { defineGuard, type GuardedCall, type Store } from 'toolpact/extend';
    import { defineToolCheck } from '@toolpact/testing';
    export const timed = defineGuard({ name: 'timed', phase: 'run', around: (_call, next) => next(), methods: () => ({ times: () => [1] }) });
    export const toolOf = (call: GuardedCall) => call.tool;
    export const store: Store = {
      name: 'mine',
      durable: false,
      get: async () => undefined,
      put: async () => ({ ok: true, version: 1 }),
      remove: async () => true,
      add: async () => ({ count: 1, leftMs: 1 }),
      sweep: async () => 0,
      close: async () => undefined,
    };
    export const get = store.get;
    export const polite = defineToolCheck({ id: 'acme/polite', group: 'words', requirement: 'Says please.', why: 'Manners.', fix: 'Say it.', *run() {} });
    export const toolbox = createToolbox([], { use: [timed] });
    export const times = toolbox.times();`,
};

beforeAll(() => {
  mkdirSync(join(project, 'node_modules/@toolpact'), { recursive: true });
  for (const [folder, { name }] of Object.entries(packages))
    symlinkSync(join(root, 'packages', folder), join(project, 'node_modules', name));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

describe('a program with `declaration: true` can name every type it gets', () => {
  test.each(Object.entries(programs))('%s', async (title, text) => {
    const declared = await declare(title.replaceAll(' ', '-'), text);
    expect(declared).not.toMatch(/\bany\b|dist\//);
  });

  test('and one that needs a file without an entry is refused', async () => {
    // Files that entries share have short names for what they export.
    const [, name] = /\bStore as (\w+)/.exec(readFileSync(join(root, 'packages/toolpact/dist/parts/store.d.ts'), 'utf8')) ?? [];
    const inner = `import type { ${name} as Store } from './node_modules/toolpact/dist/parts/store.js'; export declare const store: Store;`;
    writeFileSync(join(project, 'inner.d.ts'), inner);
    await expect(declare('refused', "import { store } from './inner.js'; export const get = store.get;")).rejects.toThrow('TS2883');
  });
});

/** Compiles a program and gives its declarations; rejects with what the compiler printed. */
async function declare(name: string, text: string): Promise<string> {
  writeFileSync(join(project, `${name}.ts`), text);
  writeFileSync(join(project, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await promisify(execFile)(process.execPath, [compiler, '-p', `${name}.json`], { cwd: project }).catch(
    ({ stdout }: { stdout: string }) => {
      throw new Error(stdout);
    },
  );
  return readFileSync(join(project, `${name}.d.ts`), 'utf8');
}
