import { expect, test } from 'vitest';
import { createClient } from './create-client.ts';

test('a tool with an effect that only a newer server knows is listed, and counts as one that writes', async () => {
  const tool = (name: string, effects: string) => ({ name, providerName: name, description: 'Does.', effects, inputSchema: {} });
  const answer = { tools: [tool('look', 'none'), tool('book', 'compensable')], total: 2, offset: 0 };
  const client = createClient('http://127.0.0.1:1', { fetch: async () => Response.json(answer) });
  expect(await client.list()).toMatchObject({
    status: 'ok',
    data: [
      { name: 'look', effects: 'none' },
      { name: 'book', effects: 'writes' },
    ],
  });
});
