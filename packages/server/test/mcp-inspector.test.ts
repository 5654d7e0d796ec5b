import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execPath } from 'node:process';
import { fileURLToPath } from 'node:url';
import { createToolbox, defineTool } from 'toolpact';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createServer } from '../src/index.ts';
import { type Listening, listen } from '../src/node/listen.ts';

/** The official inspector on the command line, at its strictest. */

const inspector = fileURLToPath(
  new URL('../../../proofs/peers/node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js', import.meta.url),
);
const forecast = defineTool({
  name: 'weather:forecast',
  description: 'Returns the weather for a city.',
  input: z.object({
    city: z.string().min(1).describe('The name of the city.'),
    days: z.number().int().min(1).max(7).default(1).describe('How many days.'),
    units: z.enum(['metric', 'imperial']).optional().describe('Which units.'),
    near: z.object({ lat: z.number(), lon: z.number() }).optional().describe('A place close by.'),
  }),
  output: z.object({ celsius: z.number() }),
  effects: 'none',
  run: ({ city }, { fail }) => (city === 'Atlantis' ? fail('not_found', 'There is no such city.') : { celsius: 21 }),
});
const forget = defineTool({ name: 'forget', description: 'Forgets everything.', run: () => undefined });

let server: Listening;
let home: string;
beforeAll(async () => {
  server = await listen(createServer(createToolbox([forecast, forget], { report: () => undefined })), { port: 0 });
  home = await mkdtemp(join(tmpdir(), 'toolpact-inspector-'));
});
afterAll(async () => {
  await server.close({ drainMs: 0 });
  await rm(home, { recursive: true, force: true });
});

function inspect(era: string, ...words: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const address = ['--server-url', `${server.url}/mcp`, '--transport', 'http', '--protocol-era', era, '--format', 'json'];
  return new Promise((resolve, reject) => {
    const child = spawn(execPath, [inspector, '--cli', ...address, ...words], { env: { ...process.env, HOME: home }, timeout: 50_000 });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

describe.each(['legacy', 'modern'])('in the %s era', (era) => {
  test('finds nothing wrong with the tools', async () => {
    const { code, stdout, stderr } = await inspect(era, '--method', 'tools/list', '--strict');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((JSON.parse(stdout) as { result: { tools: { name: string }[] } }).result.tools.map(({ name }) => name)).toEqual([
      'weather_forecast',
      'forget',
    ]);
  });

  test.each<[string, number, string]>([
    ['{"city":"Kyoto"}', 0, '"celsius":21'],
    ['{"city":"Atlantis"}', 5, 'There is no such city.'],
    ['{"city":5}', 5, 'city expected a string, received number'],
  ])('calls a tool with %s', async (args, exitCode, text) => {
    const { code, stdout } = await inspect(era, '--method', 'tools/call', '--tool-name', 'weather_forecast', '--tool-args-json', args);
    expect(code).toBe(exitCode);
    expect(stdout).toContain(text);
  });
});
