import { createSafeFetch, fromJsonSchema, fromOpenApi } from '@toolpact/openapi';
import * as sandbox from '@toolpact/origins/coded/tools';
import { contextFromHeaders } from '@toolpact/origins/status';
import { createSession, logSlice, stateSlice, toToolInvoked } from '@toolpact/origins/value';
import { onRestate, restateEndpoint } from '@toolpact/restate';
import * as server from '@toolpact/server';
import { createClient } from '@toolpact/server/client';
import { listen } from '@toolpact/server/node';
import { serveStdio } from '@toolpact/server/stdio';
import * as testing from '@toolpact/testing';
import { createResources, createToolbox, createWorker, defineResource, defineTool, ToolpactError } from 'toolpact';
import * as adk from 'toolpact/adapters/adk';
import * as aiSdk from 'toolpact/adapters/ai-sdk';
import * as anthropic from 'toolpact/adapters/anthropic';
import * as genkit from 'toolpact/adapters/genkit';
import * as gemini from 'toolpact/adapters/google-genai';
import * as langchain from 'toolpact/adapters/langchain';
import * as mastra from 'toolpact/adapters/mastra';
import * as mcp from 'toolpact/adapters/mcp';
import * as openai from 'toolpact/adapters/openai';
import * as openaiAgents from 'toolpact/adapters/openai-agents';
import * as strands from 'toolpact/adapters/strands';
import * as tanstackAi from 'toolpact/adapters/tanstack-ai';
import { defineGuard } from 'toolpact/extend';
import * as guards from 'toolpact/guards';
import { containStrays } from 'toolpact/guards/contain-strays';
import { healHistory, safeCuts } from 'toolpact/history';
import * as notify from 'toolpact/notify';
import { memoryStore, type Store } from 'toolpact/stores/memory';
import { postgresStore } from 'toolpact/stores/postgres';
import { sqliteStore } from 'toolpact/stores/sqlite';
import * as telemetry from 'toolpact/telemetry';
import { describe, expect, test } from 'vitest';
import { checkServer } from './suites/server/check-server.ts';

const toolbox = createToolbox([defineTool({ name: 'ping', description: 'Pings.', run: () => 'pong' })]);
const store: Store = memoryStore();
const remembering = createToolbox([], { store });
const given = <TOptions>(options: object): TOptions => options as TOptions;

const promising = (promise: object) => defineTool({ name: 'ping', description: 'Pings.', run: () => 'pong', ...promise } as never);

/** Every public function that takes options, and an option of each, misspelt and right. */
const functions: Readonly<Record<string, [make: (options: never) => unknown, typo: string, right: string]>> = {
  defineTool: [
    (options: object) => defineTool({ name: 'ping', description: 'Pings.', run: () => 1, ...options } as never),
    'timeoutMS',
    'timeoutMs',
  ],
  createToolbox: [(options) => createToolbox([], options), 'reports', 'report'],
  'the step of a tool': [
    async (options) => {
      let refused: unknown;
      const tool = defineTool({
        name: 'pay',
        description: 'Pays.',
        steps: true,
        run: (_: object, ctx) =>
          ctx
            .step('pay', () => 1, options)
            .catch((thrown: unknown) => {
              refused = thrown;
            }),
      });
      await tool.call({});
      throw refused;
    },
    'effect',
    'effects',
  ],
  defineResource: [(options) => defineResource(options), 'ttlMS', 'ttlMs'],
  defineGuard: [(options) => defineGuard(options), 'phases', 'phase'],
  defineCheck: [(options) => testing.defineCheck(options), 'levels', 'level'],
  defineToolCheck: [(options) => testing.defineToolCheck(options), 'groups', 'group'],
  createResources: [(options) => createResources([], options), 'maxSession', 'maxSessions'],
  createSession: [(options) => createSession(options), 'slice', 'slices'],
  stateSlice: [(options) => stateSlice(options), 'limits', 'limit'],
  logSlice: [(options) => logSlice(options), 'keys', 'key'],
  toToolInvoked: [(options) => toToolInvoked(given({}), options), 'redactors', 'redactor'],
  'approvals of createToolbox': [(approvals) => createToolbox([], { store, approvals }), 'expireMs', 'expiresMs'],
  budget: [(options) => guards.budget(options), 'windowMS', 'windowMs'],
  circuitBreaker: [(options) => guards.circuitBreaker(options), 'failure', 'failures'],
  concurrency: [(options) => guards.concurrency(options), 'perTools', 'perTool'],
  containStrays: [(options) => containStrays(options), 'onStrays', 'onStray'],
  contextFromHeaders: [(options) => contextFromHeaders({}, options), 'tenants', 'tenant'],
  'the retry of a tool': [(retry) => createToolbox([promising({ retry })]), 'attempt', 'attempts'],
  'the idempotency of a tool': [(idempotency) => createToolbox([promising({ idempotency })], { store }), 'ttl', 'ttlMs'],
  'the cache of a tool': [
    (cache: object) => createToolbox([promising({ cache: { ttlMs: 1, ...cache }, effects: 'none' })], { store }),
    'ttlMS',
    'ttlMs',
  ],
  webhook: [(options) => notify.webhook(options), 'urls', 'url'],
  readWebhook: [(options) => notify.readWebhook(new Request('http://127.0.0.1'), options), 'secrets', 'secret'],
  defineNotifier: [(options) => notify.defineNotifier(options), 'names', 'name'],
  'calls of createToolbox': [(calls) => createToolbox([], { store, calls }), 'keep', 'keepMs'],
  policy: [(options) => guards.policy(options), 'policy', 'policies'],
  rateLimit: [(options) => guards.rateLimit(options), 'limits', 'limit'],
  repeatBreaker: [(options) => guards.repeatBreaker(options), 'stopsAfter', 'stopAfter'],
  spill: [(options) => guards.spill(options), 'stores', 'store'],
  resultReader: [(options) => guards.resultReader(options), 'stor', 'store'],
  createWorker: [(options) => createWorker(given({}), options), 'concurency', 'concurrency'],
  onRestate: [(options) => onRestate(options), 'ingres', 'ingress'],
  restateEndpoint: [(options) => restateEndpoint(given({}), options), 'contexts', 'context'],
  'batch of a toolbox': [(options) => toolbox.batch([], options), 'concurency', 'concurrency'],
  'decide of a toolbox': [(options) => remembering.approvals.decide('approval_1', 'approve', options), 'reasons', 'reason'],
  'cancel of a toolbox': [(options) => remembering.calls.cancel('call_1', options), 'bye', 'by'],
  'rerun of a toolbox': [(options) => remembering.calls.rerun('call_1', options), 'form', 'from'],
  memoryStore: [(options) => memoryStore(options), 'maxRecord', 'maxRecords'],
  sqliteStore: [(options) => sqliteStore(options), 'paths', 'path'],
  postgresStore: [(options) => postgresStore(options), 'pools', 'pool'],
  fromJsonSchema: [(options) => fromJsonSchema({}, options), 'maxPart', 'maxParts'],
  openTelemetry: [(options) => telemetry.openTelemetry(options), 'captures', 'capture'],
  continueTrace: [(options) => telemetry.continueTrace({}, () => 1, options), 'apis', 'api'],
  propagateTrace: [(options) => telemetry.propagateTrace({}, options), 'apis', 'api'],
  healHistory: [(options) => healHistory([], options), 'providers', 'provider'],
  safeCuts: [(options) => safeCuts([], options), 'providers', 'provider'],
  'toTools of adk': [(options) => adk.toTools(toolbox, options), 'dialects', 'dialect'],
  'toBeforeModelCallback of adk': [(options) => adk.toBeforeModelCallback(toolbox, options), 'dialects', 'dialect'],
  'toTools of ai-sdk': [(options) => aiSdk.toTools(toolbox, options), 'maxStep', 'maxSteps'],
  'toRunOptions of ai-sdk': [(options) => aiSdk.toRunOptions(toolbox, options), 'maxStep', 'maxSteps'],
  'fromTools of ai-sdk': [(options) => aiSdk.fromTools({}, options), 'effect', 'effects'],
  'answerToolCalls of anthropic': [
    (options) => anthropic.answerToolCalls(given({ content: [] }), toolbox, {}, options),
    'concurency',
    'concurrency',
  ],
  'evaluate of anthropic': [(options) => anthropic.evaluate(options), 'maxRound', 'maxRounds'],
  'toTools of genkit': [(options) => genkit.toTools(toolbox, options), 'dialects', 'dialect'],
  'toMiddleware of genkit': [(options) => genkit.toMiddleware(toolbox, options), 'dialects', 'dialect'],
  'answerToolCalls of google-genai': [
    (options) => gemini.answerToolCalls(given({ candidates: [] }), toolbox, {}, options),
    'concurency',
    'concurrency',
  ],
  'evaluate of google-genai': [(options) => gemini.evaluate(options), 'maxRound', 'maxRounds'],
  'toTools of langchain': [(options) => langchain.toTools(toolbox, options), 'dialects', 'dialect'],
  'fromTools of langchain': [(options) => langchain.fromTools([], options), 'effect', 'effects'],
  'toMiddleware of langchain': [(options) => langchain.toMiddleware(toolbox, options), 'names', 'name'],
  'toToolNode of langchain': [(options) => langchain.toToolNode(given<never>({ tools: [] }), toolbox, options), 'dialects', 'dialect'],
  'toTools of mastra': [(options) => mastra.toTools(toolbox, options), 'dialects', 'dialect'],
  'toInputProcessor of mastra': [(options) => mastra.toInputProcessor(toolbox, options), 'dialects', 'dialect'],
  fromMcp: [(options) => mcp.fromMcp(given({}), options), 'prefixes', 'prefix'],
  toMcpServer: [(options) => mcp.toMcpServer(toolbox, options), 'servers', 'server'],
  'toTools of openai': [(options) => openai.toTools(toolbox, options), 'strickt', 'strict'],
  'answerToolCalls of openai': [
    (options) => openai.answerToolCalls(given({ choices: [] }), toolbox, {}, options),
    'concurency',
    'concurrency',
  ],
  'evaluate of openai': [(options) => openai.evaluate(options), 'maxRound', 'maxRounds'],
  'toTools of openai-agents': [(options) => openaiAgents.toTools(toolbox, options), 'dialects', 'dialect'],
  'toRunOptions of openai-agents': [(options) => openaiAgents.toRunOptions(toolbox, options), 'dialects', 'dialect'],
  'toTools of strands': [(options) => strands.toTools(toolbox, options), 'dialects', 'dialect'],
  'toPlugin of strands': [(options) => strands.toPlugin(toolbox, options), 'names', 'name'],
  'toTools of tanstack-ai': [(options) => tanstackAi.toTools(toolbox, options), 'dialects', 'dialect'],
  'toRunOptions of tanstack-ai': [(options) => tanstackAi.toRunOptions(toolbox, given<never>({}), options), 'dialects', 'dialect'],
  createServer: [(options) => server.createServer(toolbox, options), 'maxBodyByte', 'maxBodyBytes'],
  'limits of createServer': [(limits) => server.createServer(toolbox, { limits }), 'perTenants', 'perTenant'],
  'mcp of createServer': [(options) => server.createServer(toolbox, { mcp: options }), 'approval', 'approvals'],
  apiKeys: [(key) => server.apiKeys([key]), 'scope', 'scopes'],
  jwt: [(options) => server.jwt(options), 'issuers', 'issuer'],
  toOpenApi: [(options) => server.toOpenApi(toolbox, options), 'titles', 'title'],
  listen: [(options) => listen(given({}), options), 'ports', 'port'],
  serveStdio: [(options) => serveStdio(toolbox, options), 'signal', 'signals'],
  createClient: [(options) => createClient('http://127.0.0.1:1', options), 'apiKeys', 'apiKey'],
  'retry of createClient': [(retry) => createClient('http://127.0.0.1:1', { retry }), 'attempt', 'attempts'],
  createSandbox: [(options) => sandbox.createSandbox(options), 'visits', 'visit'],
  'model of createSandbox': [(model) => sandbox.createSandbox({ model }), 'baseURL', 'baseUrl'],
  'documents of createSandbox': [(documents) => sandbox.createSandbox({ documents }), 'paths', 'path'],
  'visit of createSandbox': [(visit) => sandbox.createSandbox({ visit }), 'robot', 'robots'],
  createDocumentIndex: [(options) => sandbox.createDocumentIndex(options), 'paths', 'path'],
  createSafeFetch: [(options) => createSafeFetch(options), 'allowHost', 'allowHosts'],
  createBrave: [(options) => sandbox.createBrave(options), 'apiKeys', 'apiKey'],
  createSearxng: [(options) => sandbox.createSearxng(options), 'baseUrls', 'baseUrl'],
  createSerper: [(options) => sandbox.createSerper(options), 'apiKeys', 'apiKey'],
  createTavily: [(options) => sandbox.createTavily(options), 'apiKeys', 'apiKey'],
  addFiles: [(options) => sandbox.addFiles(given({}), '.', options), 'prefixs', 'prefix'],
  fromOpenApi: [(options) => fromOpenApi({ openapi: '3.1.0', paths: {} }, options), 'baseURL', 'baseUrl'],
  checkTools: [(options) => testing.checkTools(toolbox, options), 'seeds', 'seed'],
  reportOnTools: [(options) => testing.reportOnTools(toolbox, options), 'seeds', 'seed'],
  checkServer: [(options) => checkServer('http://127.0.0.1:1', options), 'header', 'headers'],
  checkStore: [(options) => testing.checkStore(() => store, options), 'waits', 'wait'],
};

describe.each(Object.entries(functions))('%s', (_, [make, typo, right]) => {
  test('refuses an option that does not exist', async () => {
    const refused = await thrownBy(make, { notAnOption: 1 });
    expect(refused).toBeInstanceOf(ToolpactError);
    expect(refused).toMatchObject({ code: 'unknown_option', details: { option: 'notAnOption' } });
  });

  test(`reads "${typo}" as a misspelt "${right}"`, async () => {
    expect(await thrownBy(make, { [typo]: 1 })).toMatchObject({ code: 'unknown_option', details: { option: typo, nearest: right } });
  });
});

describe.each(['retry', 'idempotency', 'cache'] as const)('the %s of a tool', (promise) => {
  test.each([true, 'key', 7, null, [], () => 'key'])('is refused as %s, which would be ignored', (stated) => {
    expect(() => createToolbox([promising({ [promise]: stated, effects: 'none' })], { store })).toThrow(ToolpactError);
  });
});

/** Entries of the table whose options lie beside others, or may be a switch as well. */
const notAlone = /^defineTool$|^the \w+ of a tool$|^mcp of|^healHistory$/;

/** Entries of the table that take a text too: the path of a file, or the URL of a server. */
const takesText = /^(?:sqlite|postgres)Store$/;

describe.each(Object.entries(functions).filter(([name]) => !notAlone.test(name)))('%s', (name, [make]) => {
  const others = [null, 'expose', 7, true, []].filter((value) => typeof value !== 'string' || !takesText.test(name));
  test.each(others)('refuses %j in place of its options', async (value) => {
    expect(await thrownBy(make, value)).toBeInstanceOf(ToolpactError);
  });
});

/** Functions that need something, called without it and with the things that are given in its place most often; and what they name. */
const needing: Readonly<Record<string, [make: (wrong: never) => unknown, named: string]>> = {
  defineTool: [(wrong) => defineTool(wrong), 'name'],
  createToolbox: [(wrong) => createToolbox(wrong), 'tools'],
  'use of createToolbox': [(use) => createToolbox([], { use: use ?? null }), 'use'],
  'examples of defineTool': [(examples) => promising({ examples: examples ?? null }), 'examples'],
  createServer: [(wrong) => server.createServer(wrong), 'toolbox'],
  listen: [(wrong) => listen(wrong, { port: 0 }), 'server'],
  createWorker: [(wrong) => createWorker(wrong), 'toolbox'],
  sqliteStore: [(path) => sqliteStore({ path }), 'path'],
  postgresStore: [(wrong) => postgresStore(wrong), 'pool'],
  policy: [(wrong) => guards.policy(wrong), 'policies'],
  'notify of createToolbox': [(wrong) => createToolbox([], { store, notify: wrong ?? null }), 'notify'],
  webhook: [(wrong) => notify.webhook(wrong), 'url'],
  'store of createToolbox': [(wrong) => createToolbox([], { store: wrong ?? null }), 'store'],
  resultReader: [(wrong) => guards.resultReader(wrong), 'store'],
  jwt: [(wrong) => server.jwt(wrong), 'issuer'],
  createResources: [(wrong) => createResources(wrong), 'resources'],
  checkTools: [(wrong) => testing.checkTools(wrong), 'toolbox'],
  lockTools: [(wrong) => testing.lockTools(wrong), 'toolbox'],
  'toTools of ai-sdk': [(wrong) => aiSdk.toTools(wrong), 'toolbox'],
  'toRunOptions of ai-sdk': [(wrong) => aiSdk.toRunOptions(wrong), 'toolbox'],
  'fromTools of langchain': [(wrong) => langchain.fromTools(wrong), 'tools'],
  'toTools of mcp': [(wrong) => mcp.toTools(wrong), 'toolbox'],
  fromMcp: [(wrong) => mcp.fromMcp(wrong), 'client'],
  'evaluate of openai': [(wrong) => openai.evaluate(wrong), 'client'],
  'params of evaluate': [(params) => anthropic.evaluate({ client: {}, toolbox, params } as never), 'params'],
  'toolbox of evaluate': [(wrong) => gemini.evaluate({ client: {}, params: {}, toolbox: wrong } as never), 'toolbox'],
};

describe.each(Object.entries(needing))('%s', (_, [make, named]) => {
  test.each([undefined, {}])(`names "${named}" where it gets %j`, async (value) => {
    const refused = await thrownBy(make, value);
    expect(refused).toBeInstanceOf(ToolpactError);
    expect((refused as Error).message).toContain(named);
  });
});

test.each(['print', null, () => undefined])('"telemetry" of the adapter for MCP that is %s is refused', async (wrong) => {
  const make = (telemetry: never) => mcp.toMcpServer(toolbox, { server: { setRequestHandler: () => undefined } as never, telemetry });
  expect(await thrownBy(make, wrong)).toMatchObject({ code: 'invalid_option', details: { option: 'telemetry' } });
});

async function thrownBy(make: (options: never) => unknown, given: unknown): Promise<unknown> {
  try {
    await make(given as never);
  } catch (thrown) {
    return thrown;
  }
  return undefined;
}
