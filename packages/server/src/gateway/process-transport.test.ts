import { spawn } from 'node:child_process';
import { execPath } from 'node:process';
import * as sdk from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { createProcessTransport, longestMessage } from './process-transport.ts';

/** Starts a program that prints texts, and gives the first thing that comes of it. */
async function firstOf(...texts: readonly string[]): Promise<unknown> {
  const program = `for (const text of ${JSON.stringify(texts)}) process.stdout.write(text.replace('…', 'x'.repeat(${longestMessage})));`;
  const transport = createProcessTransport({ command: execPath, args: ['-e', program], env: {} }, spawn, sdk, () => undefined);
  onTestFinished(() => transport.close());
  return new Promise((resolve) => {
    transport.onmessage = resolve;
    transport.onerror = (error) => resolve(error.message);
    void transport.start();
  });
}

const refused = { id: 7, error: { code: -32_099 } };
const leftOut = expect.stringMatching(/^it sent a message of \d+ characters, which is more than 10000000, and it was left out$/);

test.each<[string, unknown]>([
  ['{"jsonrpc":"2.0","id":7,"result":{"text":"…"}}', refused],
  ['{"id":7,"jsonrpc":"2.0","result":{"text":"…"}}', refused],
  ['{"result":{"text":"…"},"jsonrpc":"2.0","id":7}', refused],
  ['{"jsonrpc": "2.0", "error": {"code": 1, "message": "…"}, "id": 7}', refused],
  ['{"result":{"text":"…"},"id":7,"jsonrpc":"2.0"}', refused],
  // The ids of its requests and notifications are not ours.
  ['{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{"text":"…"}}', leftOut],
  ['{"method":"sampling/createMessage","params":{"text":"…"},"jsonrpc":"2.0","id":7}', leftOut],
  ['{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"…","id":7}}', leftOut],
  ['{"jsonrpc":"2.0","result":{"text":"…","id":7}}', leftOut],
  ['{"jsonrpc":"2.0","result":{"text":"…\\",\\"id\\":7}"}}', leftOut],
  ['x…', leftOut],
])('a message that is too long, %s, is answered as a failure where it is an answer', async (text, expected) => {
  const given = await firstOf(`${text}\n`);
  if (typeof expected === 'object' && expected === refused) expect(given).toMatchObject(refused);
  else expect(given).toEqual(expected);
});

test('a message in several pieces is read', async () => {
  const ok = '{"jsonrpc":"2.0","id":8,"result":{}}';
  expect(await firstOf('\n\n', ok.slice(0, 9), `${ok.slice(9)}\r\n`)).toEqual(JSON.parse(ok));
});

test('a program that is not there is told', async () => {
  const transport = createProcessTransport({ command: 'no-such-program', args: [], env: {} }, spawn, sdk, () => undefined);
  await expect(transport.start()).rejects.toThrow('spawn no-such-program ENOENT');
  await transport.close();
  await expect(transport.send({ jsonrpc: '2.0', method: 'ping' })).rejects.toThrow('Not connected');
});
