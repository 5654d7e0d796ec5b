import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Authenticate, Identity } from '../src/index.ts';
import { type Served, serve, ways } from './serve-ways.ts';

const people: Readonly<Record<string, Identity>> = {
  caller: { tenantId: 'acme' },
  settler: { tenantId: 'acme', scopes: ['pending:settle', 'tools:call:*'] },
  stranger: { tenantId: 'globex', scopes: ['pending:settle', 'tools:call:*'] },
};
const auth: Authenticate = ({ headers }) => people[headers.get('x-api-key') ?? ''];
const as = (who: string, body?: unknown) => ({ headers: { 'x-api-key': who }, ...(body !== undefined && { body }) });

const done: string[] = [];
/** Steps end once it is open. */
let gate = Promise.withResolvers<void>();
gate.resolve();
const order = defineTool({
  name: 'order',
  description: 'Asks, and orders.',
  input: z.object({ id: z.string(), sleeps: z.boolean().optional() }),
  steps: true,
  async run({ id, sleeps }, ctx) {
    const { step, waitFor } = ctx;
    await step('charge', () => done.push(`charge ${id}`));
    if (sleeps) await ctx.sleep(86_400_000);
    const { colour } = await waitFor('colour', z.object({ colour: z.enum(['red', 'blue']) }), { message: 'Which colour?' });
    await step('ship', async () => {
      done.push(`ship ${id}`);
      await gate.promise;
    });
    return colour;
  },
});

interface Pending {
  readonly pending: { readonly handle: string; readonly ask?: object };
  readonly meta: { readonly invocationId: string };
}

describe.each(ways)('a call that sleeps or waits, through the %s', (way) => {
  let served: Served;
  beforeAll(async () => {
    const toolbox = createToolbox([order], { report: () => undefined, store: memoryStore() });
    served = await serve(way, toolbox, { auth });
  });
  afterAll(() => served.close());

  async function begin(id: string, rest: object = {}) {
    const { status, json } = await served.send('POST', '/v1/tools/order', as('caller', { id: `${way} ${id}`, ...rest }));
    const { pending, meta } = json as Pending;
    return { status, ...pending, id: meta.invocationId };
  }
  const settle = (handle: string, who: string, body: unknown) => served.send('POST', `/v1/pending/${handle}`, as(who, body));

  test('gets the answer that it waits for; one that does not fit is refused, and it keeps waiting', async () => {
    const { status, handle, ask } = await begin('settle');
    expect([status, ask]).toEqual([202, { message: 'Which colour?', schema: expect.objectContaining({ type: 'object' }) }]);
    expect((await settle(handle, 'caller', { data: { colour: 'red' } })).status).toBe(403);
    expect((await settle(handle, 'stranger', { data: { colour: 'red' } })).status).toBe(404);
    const wrong = await settle(handle, 'settler', { data: { colour: 'green' } });
    expect(wrong).toMatchObject({ status: 400, json: { error: { kind: 'invalid_input' } } });
    const waiting = await served.send('GET', `/v1/pending/${handle}`, as('caller'));
    expect(waiting).toMatchObject({ status: 202, json: { status: 'pending', pending: { reason: 'input', ask } } });
    expect(await settle(handle, 'settler', { data: { colour: 'blue' } })).toMatchObject({ status: 200, json: { data: 'blue' } });
    expect(done.filter((what) => what.endsWith(`${way} settle`))).toEqual([`charge ${way} settle`, `ship ${way} settle`]);
  });

  test('takes one of two answers that come at once; the other is a conflict', async () => {
    const { handle } = await begin('twice');
    gate = Promise.withResolvers();
    const answers = ['red', 'blue'].map((colour) => settle(handle, 'settler', { data: { colour } }));
    // The one that counts is answered when the call has ended.
    expect(await Promise.race(answers)).toMatchObject({ status: 409, json: { error: { kind: 'conflict' } } });
    gate.resolve();
    expect((await Promise.all(answers)).map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(done.filter((what) => what === `ship ${way} twice`)).toHaveLength(1);
  });

  test('is told a refusal, as a failure of its question', async () => {
    const { handle } = await begin('refused');
    const answer = await settle(handle, 'settler', { error: { kind: 'denied', message: 'Not this one.' } });
    expect(answer).toMatchObject({ status: 403, json: { error: { kind: 'denied', message: 'Not this one.', effect: 'applied' } } });
  });

  test.each<[string, object]>([
    ['waits', {}],
    ['sleeps', { sleeps: true }],
  ])('and %s is cancelled, and its outcome says what it has done', async (what, rest) => {
    const { id, handle } = await begin(what, rest);
    expect((await served.send('POST', `/v1/calls/${id}/cancel`, as('stranger', {}))).status).toBe(404);
    expect(await served.send('POST', `/v1/calls/${id}/cancel`, as('caller', {}))).toMatchObject({ status: 200, json: { id, asked: true } });
    const cancelled = { error: { kind: 'cancelled', effect: 'applied' } };
    expect((await served.send('GET', `/v1/pending/${handle}`, as('caller'))).json).toMatchObject(cancelled);
    expect((await served.send('GET', `/v1/calls/${id}`, as('caller'))).json).toMatchObject({ kind: 'cancelled', outcome: cancelled });
    expect((await served.send('POST', `/v1/calls/${id}/cancel`, as('caller', {}))).status).toBe(404);
  });
});
