import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { defineTool, type Outcome, toModelText } from 'toolpact';
import { z } from 'zod';

// One tool, three ways a call can go. The upstream is a real HTTP server on this machine; for the last call it is switched off.

const upstream = createServer((_request, response) => response.end(JSON.stringify({ celsius: 21, sky: 'clear' })));
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;

const forecast = defineTool({
  name: 'forecast',
  description: 'Returns the weather for a city for the next days.',
  input: z.object({ city: z.string().min(1), days: z.number().int().min(1).max(7).default(1) }),
  output: z.object({ celsius: z.number(), sky: z.string() }),
  effects: 'none',
  examples: [{ input: { city: 'Kyoto', days: 3 } }],
  run: async ({ city }, { signal }) => (await fetch(`${origin}/forecast?city=${city}&key=hunter2`, { signal })).json(),
});

const color = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string): string => (color ? `\u001b[${code}m${text}\u001b[0m` : text);

console.log(`
One tool, three calls. No try/catch anywhere: ${paint(1, 'a call always ends as an answer.')}

  const forecast = defineTool({ name: 'forecast', input: z.object({ city, days }), run: ({ city }) => fetch(…) });`);

await show(1, 'It works', { city: 'Kyoto' }, (outcome) =>
  assert.deepEqual('data' in outcome && outcome.data, { celsius: 21, sky: 'clear' }),
);

await show(2, 'The model sends bad arguments', { town: 'Kyoto', days: 99 }, ({ status, ...outcome }) => {
  assert.equal(status, 'error');
  assert.equal('error' in outcome && outcome.error.kind, 'invalid_input');
});

upstream.closeAllConnections();
await new Promise((resolve) => upstream.close(resolve));
await show(3, 'The service behind it is down', { city: 'Kyoto' }, (outcome) => {
  assert.ok(outcome.status === 'error' && outcome.error.kind === 'unreachable' && outcome.error.retryable);
  assert.ok(!JSON.stringify(outcome).includes('hunter2'), 'a secret got out');
});

console.log(`
Every failure has a ${paint(1, 'kind')} out of a closed set, a ${paint(1, 'recovery')} (what to do next), whether repeating is safe, and whether the
outside world changed. Next: README.md, docs/failures.md (all kinds), examples/ (more stories).
`);

async function show(number: number, title: string, args: object, check: (outcome: Outcome) => void): Promise<void> {
  const outcome: Outcome = await forecast.call(args as { city: string });
  check(outcome);
  const { status } = outcome;
  const caller =
    status === 'error'
      ? `{ status: 'error', error: { kind: '${outcome.error.kind}', recovery: '${outcome.error.recovery}', retryable: ${outcome.error.retryable}, effect: '${outcome.error.effect}', … } }`
      : `{ status: 'ok', data: ${JSON.stringify('data' in outcome && outcome.data)}, … }`;
  console.log(`
${paint(status === 'ok' ? 32 : 33, `${number}. ${title}`)}   forecast.call(${JSON.stringify(args)})
   caller gets   ${caller}
   model reads   ${toModelText(outcome).replaceAll('\n', '\n                 ')}`);
}
