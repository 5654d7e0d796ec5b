import { globSync, readdirSync } from 'node:fs';

const root = new URL('../../', import.meta.url);

/**
 * Pages whose programs are parts of a larger one: they are compiled, not run. What they take for granted is declared in `assumed`. All other
 * pages with programs are run, here or in the tests of their folder.
 */
export const comparedPages: readonly string[] = [
  ...readdirSync(new URL('docs/', root))
    .filter((name) => /^(adapters|cli|dialects|failures|history|migrating|openapi|ready-tools|resources|restate|telemetry)\.md$/.test(name))
    .map((name) => `docs/${name}`),
  ...globSync('packages/{toolpact,server,testing,openapi,restate,origins}/README.md', { cwd: root }),
];

/** Files beside each part of a program. The names in assumed.d.ts are seen everywhere; a program that declares one itself uses its own. */
export const assumed: Readonly<Record<string, string>> = {
  'assumed-tools.ts': `
import { createResources, createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';

const make = <const TName extends string, TInput extends z.ZodObject>(name: TName, input: TInput) =>
  defineTool({ name, description: 'x', input, effects: 'none', run: () => ({ receipt: 'r', sku: 'tea' }) });
export const addToCart = make('add_to_cart', z.object({ sku: z.string() }));
export const tools = [
  addToCart,
  make('search', z.object({ q: z.string() })),
  make('pay', z.object({ amount: z.number() })),
  make('crawl', z.object({})),
  make('report', z.object({})),
  make('ship', z.object({})),
] as const;
export const toolbox = createToolbox(tools);
export const resources = createResources([]);
`,
  'order.ts': `
import { createToolbox, defineTool } from 'toolpact';
import { z } from 'zod';
export const order = defineTool({ name: 'order', description: 'x', input: z.object({ orderId: z.string(), sku: z.string() }), run: () => 1 });
export const toolbox = createToolbox([order]);
`,
  'assumed.d.ts': `
type AssumedTools = typeof import('./assumed-tools.ts');
declare const tools: AssumedTools['tools'];
declare const toolbox: AssumedTools['toolbox'];
declare const addToCart: AssumedTools['addToCart'];
declare const forecast: AssumedTools['addToCart'];
declare const model: import('ai').LanguageModel;
declare const resources: AssumedTools['resources'];
type Outcome = import('toolpact').Outcome;
declare const outcome: Outcome;
declare const json: import('toolpact').JsonValue;
declare const mine: import('toolpact/dialects').Dialect;
declare const description: object;
declare const apiKey: string;
declare const tenantId: string;
declare const id: string;
declare const worker: string;
declare const summary: string;
declare const stored: { role: string; content: string }[];
declare const messages: object[];
declare const call: { id: string; name: string; arguments: string };
declare const run: (...args: readonly unknown[]) => Promise<string>;
declare const loadOutcomes: (ids: readonly string[]) => Promise<Map<string, Outcome>>;
declare const myToolbox: AssumedTools['toolbox'];
declare const myStore: () => ReturnType<typeof import('toolpact/stores/memory').memoryStore>;
declare const expect: typeof import('vitest').expect;
declare const readFileSync: typeof import('node:fs').readFileSync;
declare const createServer: typeof import('@toolpact/server').createServer;
declare const createToolbox: typeof import('toolpact').createToolbox;
declare const openTelemetry: typeof import('toolpact/telemetry').openTelemetry;
declare const healHistory: typeof import('toolpact/history').healHistory;
declare const safeCuts: typeof import('toolpact/history').safeCuts;
declare const shop: object;
declare const bank: object;
declare const startKernel: (
  image: string,
  options: { owner: string | undefined; signal: AbortSignal },
) => { shutdown(): void; execute(code: string, options: { signal: AbortSignal }): Promise<string> };
interface Item { readonly sku: string }
type LangGraph = typeof import('@langchain/langgraph');
declare const StateGraph: LangGraph['StateGraph'];
declare const MessagesAnnotation: LangGraph['MessagesAnnotation'];
declare const ToolNode: typeof import('@langchain/langgraph/prebuilt').ToolNode;
declare const toolsCondition: typeof import('@langchain/langgraph/prebuilt').toolsCondition;
type LangchainAdapter = typeof import('toolpact/adapters/langchain');
declare const toTools: LangchainAdapter['toTools'];
declare const toToolNode: LangchainAdapter['toToolNode'];
declare const mendCalls: LangchainAdapter['mendCalls'];
declare const stopOnRepeat: LangchainAdapter['stopOnRepeat'];
declare const chatModel: { bindTools(tools: object[]): import('@langchain/core/runnables').Runnable };
`,
};
