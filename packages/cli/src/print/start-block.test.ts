import type { ListedTool } from 'toolpact';
import { expect, test } from 'vitest';
import { curlLine, startBlock } from './start-block.ts';

const paint = (_: string, text: string): string => text;
const tool: ListedTool = {
  name: 'rag:search',
  providerName: 'rag_search',
  description: 'Searches.',
  effects: 'none',
  inputSchema: {
    type: 'object',
    properties: { q: { type: 'string' }, top: { type: 'integer', minimum: 3 }, more: { type: 'boolean' } },
    required: ['q', 'top'],
  },
  examples: [],
};
const url = 'http://127.0.0.1:8787';

test.each<[string, readonly ListedTool[], boolean, string]>([
  [
    'calls the first tool with its example',
    [{ ...tool, examples: [{ input: { q: "it's" } }] }],
    false,
    `curl -s ${url}/v1/tools/rag%3Asearch -H 'content-type: application/json' -d '{"q":"it'\\''s"}'`,
  ],
  [
    'makes up arguments of the right form without one',
    [tool],
    false,
    `curl -s ${url}/v1/tools/rag%3Asearch -H 'content-type: application/json' -d '{"q":"text","top":3}'`,
  ],
  [
    'takes the key from the environment and never shows it',
    [tool],
    true,
    `curl -s ${url}/v1/tools/rag%3Asearch -H "authorization: Bearer $TOOLPACT_API_KEY" -H 'content-type: application/json' -d '{"q":"text","top":3}'`,
  ],
  [
    'rather calls a tool that changes nothing, and not the one that reads large results',
    [{ ...tool, name: 'pay', effects: 'writes' }, { ...tool, name: 'read_result' }, tool],
    false,
    `curl -s ${url}/v1/tools/rag%3Asearch -H 'content-type: application/json' -d '{"q":"text","top":3}'`,
  ],
  [
    'calls a tool that writes when there is no other',
    [
      { ...tool, name: 'read_result' },
      { ...tool, name: 'pay', effects: 'writes' },
    ],
    false,
    `curl -s ${url}/v1/tools/pay -H 'content-type: application/json' -d '{"q":"text","top":3}'`,
  ],
  ['lists the tools when there are none to call', [], false, `curl -s ${url}/v1/tools`],
])('the curl line %s', (_, tools, hasAuth, line) => expect(curlLine(url, tools, hasAuth)).toBe(line));

test('the block is all that is needed for the first call', () => {
  expect(
    startBlock(
      {
        url,
        tools: [tool],
        records: '.toolpact/toolpact.db',
        hasInspector: true,
        hasOperator: false,
        hasMcp: true,
        hasAuth: false,
        watches: true,
      },
      paint,
    ),
  ).toBe(`
  Toolpact is ready

  Local     http://127.0.0.1:8787
  Inspector http://127.0.0.1:8787/inspector/
  MCP       http://127.0.0.1:8787/mcp
  Tools     rag:search
  History   .toolpact/toolpact.db

  For an MCP client:

  { "mcpServers": { "toolpact": { "type": "http", "url": "http://127.0.0.1:8787/mcp" } } }

  Try it:

  curl -s http://127.0.0.1:8787/v1/tools/rag%3Asearch -H 'content-type: application/json' -d '{"q":"text","top":3}'

  Watching for changes. Ctrl-C stops.

`);
});
