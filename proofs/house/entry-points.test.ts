import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { bundle, firstLoad } from '../../scripts/bundle-size.ts';

const require = createRequire(import.meta.url);

/** Every name that users can import. A change here is a change of the public interface. */
const entries: Readonly<Record<string, readonly string[]>> = {
  toolpact: [
    'ToolErrorType',
    'ToolExecutionError',
    'ToolFailure',
    'ToolpactError',
    'catalogue',
    'causeOf',
    'classify',
    'createToolbox',
    'defineTool',
    'fail',
    'isFailure',
    'isOk',
    'ok',
    'partial',
    'pending',
    'summarize',
    'unwrap',
  ],
  'toolpact/contract': [
    'contextFromHeaders',
    'createContext',
    'createIngestionRunId',
    'createRunId',
    'defineResource',
    'lift',
    'lower',
    'noTenant',
    'toCallContext',
    'toJsonSchema',
    'toToolContext',
    'toolContextSchema',
  ],
  'toolpact/events': [
    'append',
    'clear',
    'createEvent',
    'createEventBus',
    'createSession',
    'logSlice',
    'replaceLatest',
    'resultsOf',
    'stateSlice',
    'toToolInvoked',
    'upsert',
  ],
  'toolpact/dialects': [
    'ErrorCode',
    'anthropic',
    'buildErrorResponse',
    'buildSuccessResponse',
    'coded',
    'codedToolData',
    'detectDialect',
    'dialects',
    'errorCodes',
    'flat',
    'gemini',
    'mcp',
    'mcpMetaKey',
    'openai',
    'problem',
    'responseTimer',
    'retryAfter',
    'status',
    'toModelText',
    'translate',
    'value',
  ],
  'toolpact/guards': [
    'allow',
    'approvals',
    'ask',
    'budget',
    'cache',
    'circuitBreaker',
    'concurrency',
    'containStrays',
    'defer',
    'deny',
    'idempotency',
    'journal',
    'pendingReader',
    'policy',
    'rateLimit',
    'repeatBreaker',
    'resultReader',
    'retry',
    'spill',
    'tokensLeft',
  ],
  'toolpact/guards/contain-strays': ['containStrays', 'runContained'],
  'toolpact/worker': ['createWorker'],
  'toolpact/telemetry': ['continueTrace', 'conventions', 'errorType', 'langfuse', 'openTelemetry', 'propagateTrace', 'toolErrorType'],
  'toolpact/history': ['healHistory', 'safeCuts'],
  'toolpact/presets': ['coded', 'flat', 'genAi001', 'status', 'value'],
  'toolpact/schemas': ['fromJsonSchema'],
  'toolpact/stores/memory': ['memoryStore'],
  'toolpact/stores/sqlite': ['sqliteStore'],
  'toolpact/stores/postgres': ['postgresStore'],
  'toolpact/engines/restate': ['onRestate', 'restateEndpoint'],
  'toolpact/adapters/ai-sdk': ['fromTools', 'toRunOptions', 'toTools'],
  'toolpact/adapters/openai': ['PromptEvaluationError', 'answerToolCalls', 'evaluate', 'toTools'],
  'toolpact/adapters/openai-agents': ['stopOnRepeat', 'toRunOptions', 'toTools'],
  'toolpact/adapters/anthropic': ['PromptEvaluationError', 'answerToolCalls', 'collectStream', 'evaluate', 'toTools'],
  'toolpact/adapters/google-genai': ['PromptEvaluationError', 'answerToolCalls', 'collectStream', 'evaluate', 'toTools'],
  'toolpact/adapters/adk': ['toBeforeModelCallback', 'toTools'],
  'toolpact/adapters/langchain': ['fromTools', 'mendCalls', 'stopOnRepeat', 'toMiddleware', 'toToolNode', 'toTools'],
  'toolpact/adapters/mastra': ['toInputProcessor', 'toTools'],
  'toolpact/adapters/genkit': ['toMiddleware', 'toTools'],
  'toolpact/adapters/strands': ['toPlugin', 'toTools'],
  'toolpact/adapters/mcp': ['createMcpServer', 'fromMcp', 'toMcpServer', 'toTools'],
  'toolpact/resources': ['createResources'],
  'toolpact/server': ['apiKeys', 'createApiKey', 'createServer', 'hashApiKey', 'jwt', 'toOpenApi'],
  'toolpact/server/node': ['listen', 'toNodeListener'],
  'toolpact/server/stdio': ['serveStdio'],
  'toolpact/client': ['createClient'],
  'toolpact/config': ['defineConfig'],
  'toolpact/packs/sandbox': [
    'addFiles',
    'createBrave',
    'createDocumentIndex',
    'createSafeFetch',
    'createSandbox',
    'createSearxng',
    'createSerper',
    'createTavily',
  ],
  'toolpact/packs/openapi': ['fromOpenApi'],
  'toolpact/conformance': [
    'CrashPoint',
    'checkAdapter',
    'checkDialect',
    'checkEngine',
    'checkServer',
    'checkStore',
    'checkSuites',
    'checkTools',
    'defineCheck',
    'diffTools',
    'lockTools',
    'matchers',
    'readLock',
    'record',
    'replay',
    'reportOnTools',
    'serverCaseTools',
    'toolChecks',
    'toolGroups',
    'withFaults',
  ],
  'toolpact/extend': ['adviceFor', 'defineGuard', 'defineToolCheck', 'fromStepRecord', 'httpStatus', 'toQuestion', 'toStepRecord'],
};

test('no public type is `any`', () => {
  const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
  const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'));
  expect(files.length).toBeGreaterThan(50);
  const loose = files.filter((file) => /[:<|&,(]\s*any\b/.test(readFileSync(`${dist}${file}`, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')));
  expect(loose).toEqual([]);
});

describe('entry points', () => {
  test('are exactly those pinned here', () => {
    const names = Object.keys(packageJson.exports).filter((path) => path !== './package.json');
    expect(names.map((path) => path.replace(/^\./, 'toolpact'))).toEqual(Object.keys(entries));
  });

  test.each(Object.entries(entries))('%s exports exactly the names pinned here', async (entry, names) => {
    const exported: object = await import(pathToFileURL(require.resolve(entry)).href);
    expect(Object.keys(exported).sort()).toEqual(names);
  });

  test.each(Object.entries(packageJson.exports))('%s leads to files that exist', (_, target) => {
    const files = typeof target === 'string' ? [target] : Object.values(target);
    expect(files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
  });
});

/** Options of functions that are not public, and other names for types that are shown. */
const inward = new Set(['StartRestateOptions', 'TOptions', 'AnyDefinition', 'object', 'ClientIds']);

test('every type of options can be imported, so that the reference shows each option', () => {
  const sources = readdirSync(new URL('../../src/', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test|\.test-d)\.ts$/.test(name))
    .map((name) => readFileSync(new URL(`../src/${name}`, import.meta.url), 'utf8'));
  const checked = sources.flatMap((text) => [...text.matchAll(/refuseOptions<(\w+)/g)].map(([, type = '']) => type));
  const shown = Object.values(packageJson.exports)
    .flatMap((entry) => (typeof entry === 'object' ? [readFileSync(new URL(`../${entry.types}`, import.meta.url), 'utf8')] : []))
    .join('\n');
  const wanted = ['ToolDefinition', 'RunContext', 'StepRunContext', ...checked].filter((type) => !inward.has(type));
  expect(wanted.length).toBeGreaterThan(50);
  expect(wanted.filter((type) => !new RegExp(`export (type |interface )?(\\{[^}]*)?\\b${type}\\b`).test(shown))).toEqual([]);
});

test('the main entry bundles to one browser file that imports nothing, and nothing large got into it by mistake', async () => {
  const { externals, gzipBytes } = await bundle(fileURLToPath(new URL('../../dist/index.js', import.meta.url)));
  expect(externals).toEqual([]);
  expect(gzipBytes).toBeLessThan(60_000);
});

test('the client loads other dialects only when an answer needs them', async () => {
  const { modules, laterModules } = await firstLoad(fileURLToPath(new URL('../../dist/edges/client/index.js', import.meta.url)));
  const isForeign = (file: string) => file.endsWith('/edges/client/foreign-answers.js');
  expect([modules.filter(isForeign).length, laterModules.filter(isForeign).length]).toEqual([0, 1]);
});
