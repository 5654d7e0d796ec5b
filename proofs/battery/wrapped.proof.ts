import { Client as ClientV2, InMemoryTransport as TransportV2 } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { fromJsonSchema } from '@toolpact/openapi';
import { type AnyTool, createToolbox, type Outcome, toModelText } from 'toolpact';
import * as aiSdk from 'toolpact/adapters/ai-sdk';
import * as langchain from 'toolpact/adapters/langchain';
import { fromMcp } from 'toolpact/adapters/mcp';
import { containStrays } from 'toolpact/guards/contain-strays';
import { expect, test, vi } from 'vitest';
import type { Fault } from './fault.ts';
import { faults } from './faults.ts';
import { finalAnswer, type ToolSpec } from './host.ts';
import { bareTools as aiSdkTools } from './hosts/ai-sdk.ts';
import { bareTools as langchainTools } from './hosts/langchain.ts';
import { asJson, bareServer } from './hosts/mcp-v1.ts';
import { bareServer as bareServerV2 } from './hosts/mcp-v2.ts';
import { type Cell, judge } from './judge.ts';

/** The same faults in tools that were written for a framework, or for a server without Toolpact, and are wrapped. */

type Wrap = (tools: readonly ToolSpec[]) => readonly AnyTool[] | Promise<readonly AnyTool[]>;

const info = { name: 'bank', version: '1.0.0' };

/** Facts that a server without Toolpact loses before its answer is sent: no client can know them. */
const lostInServer: Readonly<Record<string, string>> = {
  'throw frozen object': 's',
  'fetch closed port (ECONNREFUSED)': 's',
  'fetch unknown host (ENOTFOUND)': 's',
  'result undefined': 's',
  'result Map': 'Q',
  'result function': 's',
};

interface Wrapped {
  readonly wrap: Wrap;
  readonly hasOutputSchema: boolean;
  /** The faults that are not told truthfully, with their codes. */
  readonly lost: Readonly<Record<string, string>>;
  /** How many of the 30 errors have their kind. The text of a server that does not classify says that it failed, not why. */
  readonly classified: number;
}

const wraps: Readonly<Record<string, Wrapped>> = {
  'AI SDK': {
    wrap: (tools) => aiSdk.fromTools(aiSdkTools(tools) as never, { effects: 'none' }) as never,
    hasOutputSchema: true,
    lost: {},
    classified: 30,
  },
  LangChain: {
    wrap: (tools) => langchain.fromTools(langchainTools({ mode: 'bare', tools, calls: [] }), { effects: 'none' }),
    hasOutputSchema: false,
    lost: {},
    classified: 30,
  },
  'MCP v1': {
    async wrap(tools) {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      asJson(theirs);
      const client = new Client(info);
      await Promise.all([bareServer(tools).connect(theirs), client.connect(ours)]);
      return fromMcp(client, { schema: fromJsonSchema });
    },
    hasOutputSchema: true,
    lost: lostInServer,
    classified: 18,
  },
  'MCP v2': {
    async wrap(tools) {
      const [ours, theirs] = TransportV2.createLinkedPair();
      asJson(theirs);
      const client = new ClientV2(info);
      await Promise.all([bareServerV2(tools).connect(theirs), client.connect(ours)]);
      return fromMcp(client as never, { schema: fromJsonSchema });
    },
    hasOutputSchema: true,
    lost: lostInServer,
    classified: 18,
  },
};

async function runFault(fault: Fault, wrap: Wrap): Promise<Cell> {
  const { tools, calls, timeoutMs } = fault;
  const toolbox = createToolbox(await wrap(tools), {
    report: () => undefined,
    use: [containStrays({ onStray: () => undefined })],
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const outcomes = new Map<string, Outcome>();
  await Promise.all(
    calls.map(async ({ id, name, json }) => {
      outcomes.set(id, await toolbox.answer({ name, args: json }));
    }),
  );
  const toModel = Object.fromEntries(
    [...outcomes].map(([id, outcome]) => [id, { text: toModelText(outcome), failed: outcome.status === 'error' }]),
  );
  return judge(fault, { record: { answer: finalAnswer, toModel } }, outcomes);
}

/** Speeds up time for a tool that blocks everything for a second, which would cost a second for every host. */
async function withQuickClock(run: () => Promise<Cell>): Promise<Cell> {
  const real = performance.now.bind(performance);
  let skipped = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    skipped += 50;
    return real() + skipped;
  });
  try {
    return await run();
  } finally {
    clock.mockRestore();
  }
}

test.each(Object.entries(wraps))(
  'all faults in wrapped tools of %s are reported truthfully',
  async (_, { wrap, hasOutputSchema, lost, classified }) => {
    const chosen = faults.filter(({ needsOutputSchema }) => hasOutputSchema || needsOutputSchema !== true);
    const cells: Cell[] = [];
    for (const fault of chosen) {
      const run = (): Promise<Cell> => runFault(fault, wrap);
      cells.push(await (fault.title.startsWith('blocks') ? withQuickClock(run) : run()));
    }
    expect(Object.fromEntries(cells.filter(({ code }) => code !== 'S').map(({ fault, code }) => [fault, code]))).toEqual(lost);
    expect(cells.filter(({ app }) => app === 'C')).toHaveLength(classified);
    expect(cells.flatMap(({ leaks }) => leaks)).toEqual([]);
  },
);

test('a result that a server without Toolpact cannot send is a bad response, not a mistake of the model', async () => {
  const fault = faults.find(({ title }) => title === 'result undefined') as Fault;
  for (const name of ['MCP v1', 'MCP v2']) {
    const { why } = await runFault(fault, (wraps[name] as Wrapped).wrap);
    expect(why).toContain('[error: bad_response/undecodable] The server found the result of its own tool invalid');
  }
});
