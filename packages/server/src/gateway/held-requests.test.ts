import type { McpRequest } from 'toolpact/internal';
import { systemClock } from 'toolpact/internal';
import { expect, test } from 'vitest';
import { createHeldRequests, type HeldRequests } from './held-requests.ts';

const envelope = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
const requestOf = (mcpReq: object = {}): McpRequest => ({ host: { mcpReq: { envelope, ...mcpReq } } }) as object as McpRequest;
/** Holds a request until its caller has answered. */
const hold = (held: HeldRequests, caller: string): Promise<object> =>
  held.hold(requestOf(), caller, async ({ host, signal }) => {
    const stopped = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    return Promise.race([stopped, held.ask(host, { method: 'elicitation/create' }) as Promise<object>]);
  });
const goOn = (held: HeldRequests, caller: string, { requestState }: { readonly requestState?: unknown }): Promise<object> => {
  const inputResponses = { question_1: { action: 'accept' } };
  return held.hold(requestOf({ inputResponses, requestState: () => requestState }), caller, async () => ({}));
};

test('a caller that never comes back keeps others from nothing', async () => {
  const held = createHeldRequests(systemClock);
  const first = await hold(held, 'eve');
  const early = await hold(held, 'ann');
  for (let count = 0; count < 1_000; count += 1) await hold(held, 'eve');
  const late = await hold(held, 'bob');
  for (const [caller, asked] of [
    ['ann', early],
    ['bob', late],
  ] as const)
    expect(await goOn(held, caller, asked)).toEqual({ action: 'accept' });
  await expect(goOn(held, 'eve', first)).rejects.toThrow('The request state is not known');
  held.close();
});

test('a request is gone on with by its caller only', async () => {
  const held = createHeldRequests(systemClock);
  const asked = await hold(held, 'ann');
  await expect(goOn(held, 'eve', asked)).rejects.toThrow('The request state is not known');
  expect(await goOn(held, 'ann', asked)).toEqual({ action: 'accept' });
  held.close();
});
