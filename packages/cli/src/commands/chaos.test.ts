import { fromJsonSchema } from '@toolpact/openapi';
import { createToolbox, defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import type { LoadedTools } from '../load/load-tools.ts';
import { readChaos, withChaos } from './chaos.ts';

skipTime();

const tool = defineTool({ name: 'tell', description: 'Tells.', effects: 'none', run: () => 'done' });
const flags = (given: Readonly<Record<string, string>>) => new Map<string, string | boolean>(Object.entries(given));

test.each([
  [{}, undefined],
  [{ chaos: '0.2' }, { rate: 0.2, seed: '1' }],
  [
    { chaos: '1', 'chaos-seed': 'monday' },
    { rate: 1, seed: 'monday' },
  ],
  [{ chaos: '.5' }, { rate: 0.5, seed: '1' }],
])('%j is read as %j', (given, chaos) => {
  expect(readChaos(flags(given))).toEqual(chaos);
});

test.each([
  [{ chaos: '20' }, '--chaos must be a share above 0 and up to 1, such as 0.2, not 20.'],
  [{ chaos: '0' }, '--chaos must be a share above 0 and up to 1, such as 0.2, not 0.'],
  [{ chaos: 'some' }, '--chaos must be a share above 0 and up to 1, such as 0.2, not some.'],
  [{ 'chaos-seed': '3' }, '--chaos-seed needs --chaos.'],
])('%j is refused', (given, message) => {
  expect(() => readChaos(flags(given))).toThrow(message);
});

test.each<[string, () => LoadedTools]>([
  ['tools', () => ({ tools: [tool] })],
  ['a toolbox', () => ({ toolbox: createToolbox([tool], { report: () => undefined }) })],
])('the same seed spoils the same runs of %s', async (_, load) => {
  const strikes = async (seed: string): Promise<string> => {
    const loaded = await withChaos({ files: [], load: async () => load() }, { rate: 0.4, seed }).load();
    const toolbox = loaded.toolbox ?? createToolbox(loaded.tools, { report: () => undefined });
    const reported: string[] = [];
    // Short of the two seconds that a slow run takes.
    for (let run = 0; run < 20; run += 1) reported.push((await toolbox.answer({ name: 'tell' }, { timeoutMs: 20 } as never)).status);
    return reported.map((status) => (status === 'ok' ? '.' : 'F')).join('');
  };
  const monday = await strikes('monday');
  expect(monday).toMatch(/F/);
  expect(monday).toMatch(/\./);
  expect(await strikes('monday')).toBe(monday);
  expect(await strikes('tuesday')).not.toBe(monday);
});

test('everything that can go wrong goes wrong about as often', async () => {
  const output = fromJsonSchema<{ reported: string }>({ type: 'object', required: ['reported'] });
  const reported = defineTool({ output, name: 'tell', description: 'Tells.', effects: 'none', run: () => ({ reported: 'yes' }) });
  const loaded = await withChaos({ files: [], load: async () => ({ tools: [reported] }) }, { rate: 0.6, seed: 'monday' }).load();
  const toolbox = createToolbox(loaded.tools ?? [], { report: () => undefined });
  const runs = await Promise.all(Array.from({ length: 1_200 }, () => toolbox.answer({ name: 'tell' }, { timeoutMs: 50 } as never)));
  const counts = Map.groupBy(runs, (outcome) => (outcome.status === 'error' ? outcome.error.kind : outcome.status));
  // One in ten each; slow runs and answers that were lost are both timeouts.
  for (const [kind, wanted] of Object.entries({
    unreachable: 120,
    rate_limited: 120,
    upstream: 120,
    invalid_output: 120,
    timeout: 240,
    ok: 480,
  }))
    expect([kind, Math.abs((counts.get(kind as 'ok')?.length ?? 0) - wanted) < 40]).toEqual([kind, true]);
});
