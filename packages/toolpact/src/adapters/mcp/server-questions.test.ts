import { expect, test } from 'vitest';
import { skipTime, takes } from '../../../../../proofs/fixtures/skip-time.ts';
import { requestWithQuestions } from './server-questions.ts';

skipTime();

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: object;
}

/** A client that is connected to nothing: `receive` is what its server sends. */
function connection() {
  const transport = { onmessage: (_: Message): void => undefined, send: async (_: Message): Promise<void> => undefined };
  return {
    client: { transport },
    receive: (message: Message) => transport.onmessage(message),
    send: (message: Message) => transport.send(message),
  };
}

/** Makes a request that ends after a time, unless its server is given up before; says for how long its deadline stood still. */
async function request(
  { client }: ReturnType<typeof connection>,
  ms: number,
): Promise<{ readonly pausedMs: number; readonly error?: unknown }> {
  let pausedMs = 0;
  const pauseDeadline = () => {
    const from = Date.now();
    let isOver = false;
    return () => {
      if (!isOver) pausedMs += Date.now() - from;
      isOver = true;
    };
  };
  const answered = requestWithQuestions(client, { timeout: 1_000, pauseDeadline }, ({ signal }) =>
    Promise.race([takes(ms), new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))]),
  );
  return answered.then(
    () => ({ pausedMs }),
    (error: unknown) => ({ pausedMs, error }),
  );
}

const question = { id: 7, method: 'elicitation/create' };

test('a server that says nothing for too long is given up', async () => {
  expect(await request(connection(), 5_000)).toMatchObject({
    pausedMs: 0,
    error: { kind: 'timeout', message: 'The server said nothing for 1 s.' },
  });
});

test.each([
  ['answered', (at: ReturnType<typeof connection>) => at.send({ id: 7 })],
  ['withdrawn', async (at: ReturnType<typeof connection>) => at.receive({ method: 'notifications/cancelled', params: { requestId: 7 } })],
])('time stands still until a question is %s', async (_, end) => {
  const at = connection();
  const answered = request(at, 60_500);
  at.receive(question);
  await takes(60_000);
  await end(at);
  expect(await answered).toEqual({ pausedMs: 60_000 });
});

test.each([
  ['is never answered', 1],
  ['is asked again and again', 3],
])('a question that %s stops the deadline for an hour and no longer', async (_, times) => {
  const at = connection();
  const answered = request(at, 100_000_000);
  for (let nth = 0; nth < times; nth += 1) at.receive(question);
  expect(await answered).toMatchObject({ pausedMs: 3_600_000, error: { kind: 'timeout' } });
});

test('other requests of a server stop no time', async () => {
  const at = connection();
  const answered = request(at, 500);
  at.receive({ id: 8, method: 'ping' });
  await at.send({ id: 8 });
  expect(await answered).toEqual({ pausedMs: 0 });
});
