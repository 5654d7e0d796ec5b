import { existsSync, globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { bundle, firstLoad } from '../../scripts/bundle-size.ts';
import { entries, internalEntries, packages, pathOf } from './own-packages.ts';

const require = createRequire(import.meta.url);

/** Every name that users can import. A change here is a change of the public interface. */
const pinned: Readonly<Record<string, readonly string[]>> = {
  toolpact: [
    'ToolFailure',
    'ToolpactError',
    'catalogue',
    'causeOf',
    'classify',
    'createResources',
    'createToolbox',
    'createWorker',
    'defineResource',
    'defineTool',
    'fail',
    'isFailure',
    'isOk',
    'ok',
    'partial',
    'pending',
    'summarize',
    'toJsonSchema',
    'toModelText',
    'unwrap',
  ],
  'toolpact/guards': [
    'allow',
    'ask',
    'budget',
    'circuitBreaker',
    'concurrency',
    'deny',
    'policy',
    'rateLimit',
    'repeatBreaker',
    'resultReader',
    'spill',
    'tokensLeft',
  ],
  'toolpact/guards/contain-strays': ['containStrays', 'runContained'],
  'toolpact/stores/memory': ['memoryStore'],
  'toolpact/stores/sqlite': ['sqliteStore'],
  'toolpact/stores/postgres': ['postgresStore'],
  'toolpact/notify': ['defineNotifier', 'readWebhook', 'webhook'],
  'toolpact/dialects': ['anthropic', 'detectDialect', 'dialects', 'gemini', 'mcp', 'openai', 'problem', 'retryAfter', 'translate'],
  'toolpact/adapters/adk': ['containAgent', 'toBeforeModelCallback', 'toTools'],
  'toolpact/adapters/ai-sdk': ['fromTools', 'toRunOptions', 'toTools'],
  'toolpact/adapters/anthropic': ['PromptEvaluationError', 'answerToolCalls', 'collectStream', 'evaluate', 'toTools'],
  'toolpact/adapters/genkit': ['toMiddleware', 'toTools'],
  'toolpact/adapters/google-genai': ['PromptEvaluationError', 'answerToolCalls', 'collectStream', 'evaluate', 'toTools'],
  'toolpact/adapters/langchain': ['fromTools', 'mendCalls', 'stopOnRepeat', 'toMiddleware', 'toToolNode', 'toTools'],
  'toolpact/adapters/mastra': ['toInputProcessor', 'toTools'],
  'toolpact/adapters/mcp': ['fromMcp', 'toMcpServer', 'toTools'],
  'toolpact/adapters/openai': ['PromptEvaluationError', 'answerToolCalls', 'evaluate', 'toTools'],
  'toolpact/adapters/openai-agents': ['stopOnRepeat', 'toRunOptions', 'toTools'],
  'toolpact/adapters/strands': ['toPlugin', 'toTools'],
  'toolpact/adapters/tanstack-ai': ['toRunOptions', 'toTools'],
  'toolpact/telemetry': ['continueTrace', 'errorType', 'openTelemetry', 'propagateTrace'],
  'toolpact/history': ['healHistory', 'safeCuts'],
  'toolpact/extend': [
    'adviceFor',
    'changePlan',
    'defineGuard',
    'fromStepRecord',
    'httpStatus',
    'insideOf',
    'isTool',
    'lower',
    'noTenant',
    'planOf',
    'toQuestion',
    'toStepRecord',
  ],
  '@toolpact/server': [
    'apiKeys',
    'createApiKey',
    'createGateway',
    'createInspectorProxy',
    'createOperatorToolbox',
    'createServer',
    'hashApiKey',
    'jwt',
    'toOpenApi',
  ],
  '@toolpact/server/node': ['listen', 'toNodeListener'],
  '@toolpact/server/stdio': ['serveStdio'],
  '@toolpact/server/client': ['createClient'],
  '@toolpact/testing': [
    'checkCrashes',
    'checkStore',
    'checkTools',
    'crashChecks',
    'defineCheck',
    'defineToolCheck',
    'diffTools',
    'lockTools',
    'matchers',
    'readLock',
    'record',
    'replay',
    'reportOnCrashes',
    'reportOnTools',
    'storeChecks',
    'toolChecks',
    'toolGroups',
    'withFaults',
  ],
  '@toolpact/openapi': ['createSafeFetch', 'fromJsonSchema', 'fromOpenApi'],
  '@toolpact/restate': ['onRestate', 'restateEndpoint'],
  '@toolpact/origins/flat': ['ErrorCode', 'checks', 'errorCodes', 'flat', 'preset'],
  '@toolpact/origins/error-type': ['ToolErrorType', 'ToolExecutionError', 'checks', 'preset', 'shippedErrorType', 'toolErrorType'],
  '@toolpact/origins/coded': [
    'ErrorCode',
    'buildErrorResponse',
    'buildSuccessResponse',
    'checks',
    'coded',
    'codedPaths',
    'codedRequests',
    'codedToolData',
    'errorCodes',
    'preset',
    'responseTimer',
  ],
  '@toolpact/origins/coded/tools': [
    'addFiles',
    'createBrave',
    'createDocumentIndex',
    'createSandbox',
    'createSearxng',
    'createSerper',
    'createTavily',
  ],
  '@toolpact/origins/value': [
    'append',
    'checks',
    'clear',
    'createSession',
    'logSlice',
    'preset',
    'replaceLatest',
    'resultsOf',
    'stateSlice',
    'toToolInvoked',
    'upsert',
    'value',
  ],
  '@toolpact/origins/status': [
    'ToolErrorType',
    'checks',
    'contextFromHeaders',
    'createContext',
    'createIngestionRunId',
    'createRunId',
    'preset',
    'status',
    'toCallContext',
    'toToolContext',
    'toolContextSchema',
  ],
  '@toolpact/cli/config': ['defineConfig', 'defineGateway'],
};

test('no public type is `any`', () => {
  const files = Object.keys(packages).flatMap((folder) => globSync(`packages/${folder}/dist/**/*.d.ts`, { cwd: pathOf('') }));
  expect(files.length).toBeGreaterThan(50);
  const loose = files.filter((file) => /[:<|&,(]\s*any\b/.test(readFileSync(pathOf(file), 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')));
  expect(loose).toEqual([]);
});

describe('entry points', () => {
  const open = entries.filter(({ specifier }) => !internalEntries.includes(specifier));

  test('are exactly those pinned here', () => {
    expect(open.map(({ specifier }) => specifier).sort()).toEqual(Object.keys(pinned).sort());
  });

  test.each(Object.entries(pinned))('%s exports exactly the names pinned here', async (specifier, names) => {
    const exported: object = await import(pathToFileURL(require.resolve(specifier)).href);
    expect(Object.keys(exported).sort()).toEqual(names);
  });

  test.each(entries)('$specifier leads to files that exist', ({ source, types, code }) => {
    expect([source, types, code].filter((file) => !existsSync(pathOf(file)))).toEqual([]);
  });
});

/** Options of functions that are not public, and other names for types that are shown. */
const inward = new Set(['DeferOptions', 'TOptions', 'AnyDefinition', 'object', 'ClientIds']);

test('every type of options can be imported, so that the reference shows each option', () => {
  const sources = globSync('packages/*/src/**/*.ts', { cwd: pathOf('') })
    .filter((file) => !/\.test(?:-d)?\.ts$/.test(file))
    .map((file) => readFileSync(pathOf(file), 'utf8'));
  const checked = sources.flatMap((text) => [...text.matchAll(/refuseOptions<(\w+)/g)].map(([, type = '']) => type));
  const shown = entries.map(({ types }) => readFileSync(pathOf(types), 'utf8')).join('\n');
  const wanted = ['ToolDefinition', 'RunContext', 'StepRunContext', ...checked].filter((type) => !inward.has(type));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((type) => !new RegExp(`export (type |interface )?(\\{[^}]*)?\\b${type}\\b`).test(shown))).toEqual([]);
});

test('the main entry bundles to one browser file without imports, and contains nothing large by mistake', async () => {
  const { externals } = await bundle(pathOf('packages/toolpact/dist/index.js'));
  expect(externals).toEqual([]);
  const { gzipBytes } = await firstLoad(pathOf('packages/toolpact/dist/index.js'));
  expect(gzipBytes).toBeLessThan(110_000);
});

test('the words of the tool search are loaded by the first search', async () => {
  const { modules, laterModules } = await firstLoad(pathOf('packages/toolpact/dist/index.js'));
  const withWords = (files: readonly string[]) =>
    files.filter((file) => existsSync(file) && readFileSync(file, 'utf8').includes('customer client buyer'));
  expect(withWords(modules)).toEqual([]);
  expect(withWords(laterModules)).toHaveLength(1);
});

test('the client loads `classify` and other dialects only when an answer needs them', async () => {
  const { modules, laterModules } = await firstLoad(pathOf('packages/server/dist/client.js'));
  const withClassify = (files: readonly string[]) =>
    files.filter((file) => existsSync(file) && readFileSync(file, 'utf8').includes('function classify('));
  expect(withClassify(modules)).toEqual([]);
  expect(withClassify(laterModules)).toHaveLength(1);
});

test('the library depends on nothing', () => {
  const { dependencies, peerDependencies, optionalDependencies } = packages.toolpact ?? {};
  expect([dependencies, peerDependencies, optionalDependencies]).toEqual([undefined, undefined, undefined]);
});
