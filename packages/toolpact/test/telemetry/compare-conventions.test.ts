import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { compareConventions } from '../../../../scripts/compare-conventions.ts';

const model = fileURLToPath(new URL('model', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'toolpact-model-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a model that says what our table says shows no difference', () => {
  expect(compareConventions(model)).toEqual([]);
});

test.each([
  ['another schema URL', 'manifest.yaml', '1.42.0-dev', '1.43.0', /^schema URL: ours is .*1\.42\.0-dev", the model's .*1\.43\.0"$/],
  ['another kind of span', 'tools.yaml', 'kind: internal', 'kind: client', /^span kind: ours is "internal", the model's "client"$/],
  ['another span name', 'tools.yaml', '`execute_tool {', '`tool {', /^span name: /],
  [
    'a renamed attribute',
    'tools.yaml',
    'ref: gen_ai.tool.call.id',
    'ref: gen_ai.call.id',
    /gen_ai.tool.call.id: the model does not have it\n.*gen_ai.call.id: the table lacks it \(recommended\)/,
  ],
  [
    'another level',
    'tools.yaml',
    'requirement_level: opt_in',
    'requirement_level: required',
    /span gen_ai.tool.call.arguments level: ours is "opt_in", the model's "required"/,
  ],
  [
    'no need at the start',
    'tools.yaml',
    'sampling_relevant: true',
    'sampling_relevant: false',
    /gen_ai.operation.name at start: ours is true, the model's false/,
  ],
  ['another unit', 'tools.yaml', 'unit: "s"', 'unit: "ms"', /^metric unit: ours is "s", the model's "ms"$/],
  ['another metric', 'tools.yaml', 'gen_ai.execute_tool.duration', 'gen_ai.tool.duration', /^metric name: .*undefined/],
  ['another type', 'tools.yaml', 'type: any', 'type: string', /^gen_ai.tool.call.arguments type: ours is "any", the model's "string"$/],
  ['a value that went', 'tools.yaml', 'value: execute_tool', 'value: run_tool', /the model does not know the value execute_tool/],
  ['another kind of MCP span', 'mcp.yaml', 'kind: server', 'kind: client', /^mcp span kind: ours is "server", the model's "client"$/],
  ['another MCP metric', 'mcp.yaml', 'mcp.server.operation.duration', 'mcp.duration', /^mcp metric name: .*undefined/],
  [
    'a renamed MCP attribute',
    'mcp.yaml',
    'ref: rpc.response.status_code',
    'ref: rpc.status_code',
    /^mcp span rpc.response.status_code: the model does not have it\nmcp span rpc.status_code: the table lacks it/,
  ],
  [
    'a method that went',
    'mcp.yaml',
    'value: prompts/get',
    'value: prompts/read',
    /^mcp.method.name: the model does not know the value prompts.get$/,
  ],
  [
    'a method we were ahead with',
    'mcp.yaml',
    'value: ping',
    'value: ping\n        - value: server/discover',
    /has caught up with the value server.discover$/,
  ],
  [
    'what we were ahead with',
    'tools.yaml',
    '      - ref: gen_ai.tool.description\n',
    '      - ref: gen_ai.tool.description\n      - ref: gen_ai.conversation.id\n',
    /gen_ai.conversation.id: the model has caught up/,
  ],
])('a model with %s shows it', (_, file, before, after, difference) => {
  cpSync(model, folder, { recursive: true });
  const path = join(folder, file);
  writeFileSync(path, readFileSync(path, 'utf8').replace(before, after));
  expect(compareConventions(folder).join('\n')).toMatch(difference);
});
