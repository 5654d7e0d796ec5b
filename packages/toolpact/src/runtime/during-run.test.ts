import { AssertionError } from 'node:assert';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { classify } from '../classify/index.ts';
import type { FailureKind } from '../outcome/index.ts';
import { toModelText } from '../outcome/index.ts';
import { createToolbox } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';

/** Runs a tool that writes and throws this. */
async function failureOf(thrown: () => unknown, effects: 'none' | 'writes' = 'writes') {
  const tool = defineTool({
    name: 'break',
    description: 'x',
    effects,
    run: async () => {
      throw thrown();
    },
  });
  const outcome = await createToolbox([tool], { report: () => undefined }).call('break', {});
  if (outcome.status !== 'error') throw new Error('it did not fail');
  return outcome.error;
}

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (thrown) {
    return thrown;
  }
}

const given = 'a(';

describe('what a running tool throws is not about its arguments', () => {
  test.each<[string, FailureKind, string, () => unknown]>([
    [
      'a schema about data from elsewhere',
      'bad_response',
      'user.age: ',
      () => caught(() => z.object({ user: z.object({ age: z.number() }) }).parse({ user: { age: 'x' } })),
    ],
    ['an engine about a date', 'internal', 'Invalid time value', () => caught(() => new Date(Number.NaN).toISOString())],
    ['an engine about a pattern', 'internal', 'Invalid regular expression: /a(/', () => caught(() => new RegExp(given))],
    ['an assertion', 'internal', 'the user is required', () => new AssertionError({ message: 'the user is required' })],
    ['a content filter', 'denied', 'filtered', () => Object.assign(new Error('filtered'), { status: 400, code: 'content_filter' })],
    [
      'a cancelled request',
      'cancelled',
      'canceled',
      () => Object.assign(new Error('canceled'), { name: 'CanceledError', code: 'ERR_CANCELED' }),
    ],
    [
      'a cancelled remote call',
      'cancelled',
      '1 CANCELLED',
      () => Object.assign(new Error('1 CANCELLED: Cancelled on client'), { code: 1, metadata: {} }),
    ],
    ['an abort that was not asked for', 'timeout', 'aborted', () => new DOMException('This operation was aborted', 'AbortError')],
    [
      'several errors',
      'unreachable',
      'all mirrors failed: a; b; c',
      () =>
        new AggregateError(
          ['a', 'b', 'c', 'd'].map((message) => Object.assign(new Error(message), { code: 'ECONNREFUSED' })),
          'all mirrors failed',
        ),
    ],
  ])('%s is %s', async (_what, kind, message, thrown) => {
    const failure = await failureOf(thrown, 'none');
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(message);
  });

  test.each([
    ['in a plain sentence', () => new Error('Your card was declined')],
    ['of a bank, in a plain sentence', () => new Error('The payment was declined by the bank')],
    ['with a code', () => Object.assign(new Error('Do not honor'), { code: 'card_declined' })],
    [
      'by a client of payments',
      () => Object.assign(new Error('Your card was declined.'), { name: 'CardError', code: 'card_declined', statusCode: 402 }),
    ],
    [
      'in the body of an answer',
      () =>
        Object.assign(new Error('Request failed with status code 402'), {
          response: { status: 402, data: { error: { code: 'card_declined', message: 'Your card was declined.' } } },
        }),
    ],
    ['with a status alone', () => Object.assign(new Error('Payment Required'), { status: 402 })],
  ])('a card that is declined was denied by nobody: %s', async (_, thrown) => {
    expect(await failureOf(thrown)).toMatchObject({ kind: 'budget_exhausted', recovery: 'stop', retryable: false });
  });

  test('and a refusal has the effect that is known of it', async () => {
    const refused = () => Object.assign(new Error('Your card was declined.'), { code: 'card_declined' });
    expect(await failureOf(refused)).toMatchObject({ kind: 'budget_exhausted', effect: 'unknown', message: 'Your card was declined.' });
    expect(await failureOf(refused, 'none')).toMatchObject({ kind: 'budget_exhausted', effect: 'none' });
  });

  test('while classify alone keeps to the arguments', () => {
    expect(classify(caught(() => z.object({ age: z.number() }).parse({}))).kind).toBe('invalid_input');
  });
});

describe('a secret among the arguments', () => {
  // In two parts, so that no search for keys finds it here.
  const secret = `sk-proj-Zx81Jq0LmNvB27TyRw5Kd93HcPe64Ua${'f0QG7'}`;
  const answer = async (args: Record<string, unknown>, message: string) => {
    const tool = defineTool({
      name: 'open',
      description: 'x',
      effects: 'none',
      input: z.record(z.string(), z.unknown()),
      run: async () => {
        throw new Error(message);
      },
    });
    return createToolbox([tool], { report: () => undefined }).call('open', args);
  };

  test.each([
    ['not_found', `The key ${secret} was not found`, { key: secret }],
    ['not_found', `Account "${secret}" does not exist`, { login: { key: secret } }],
    ['failed', 'The vault is closed', { key: secret }],
  ])('is not repeated by anything that is shown: %s', async (kind, message, args) => {
    const outcome = await answer(args, message);
    expect(outcome).toMatchObject({ error: { kind, message: message.replace(secret, '[redacted]') } });
    expect(JSON.stringify(outcome.status === 'error' && outcome.error)).not.toContain(secret.slice(8, 20));
    expect(toModelText(outcome)).not.toContain(secret.slice(8, 20));
  });

  test('and where it was masked before, the mask shows nothing about what was sent', async () => {
    for (const [args, message] of [
      [{ key: '[redacted]' }, 'The vault does not like [redacted]'],
      [{ key: secret }, 'The vault does not like [redacted]'],
      [{ key: 'Bearer [redacted]' }, 'The vault does not like "[redacted]"'],
    ] as const)
      expect(await answer(args, message)).toMatchObject({ error: { kind: 'failed', message } });
  });
});

describe('a thrown response', () => {
  test('is read, so that the words of the service are shown', async () => {
    const body = JSON.stringify({ error: { message: 'The widget 7 is gone', code: 'gone' } });
    const failure = await failureOf(() => new Response(body, { status: 404, headers: { 'content-type': 'application/json' } }), 'none');
    expect(failure).toMatchObject({ kind: 'not_found', message: 'The widget 7 is gone', upstream: { status: 404 } });
  });

  test('is read where a handler throws it at once, also inside another call', async () => {
    const tool = defineTool({
      name: 'break',
      description: 'x',
      effects: 'none',
      run: () => {
        throw Response.json({ message: 'The widget 7 is gone' }, { status: 404 });
      },
    });
    const nested = defineTool({ name: 'nested', description: 'x', effects: 'none', run: async () => ({ inner: await tool.call({}) }) });
    const reported = { kind: 'not_found', message: 'The widget 7 is gone', upstream: { status: 404 } };
    expect(await tool.call({})).toMatchObject({ status: 'error', error: reported });
    expect(await createToolbox([nested]).call('nested', {})).toMatchObject({
      data: { inner: { status: 'error', error: reported } },
    });
  });

  test('is read up to 8 kB, however much it sends', async () => {
    let sent = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sent += 1;
        controller.enqueue(new TextEncoder().encode('x'.repeat(4_096)));
      },
    });
    expect(await failureOf(() => new Response(endless, { status: 500 }), 'none')).toMatchObject({ kind: 'upstream' });
    expect(sent).toBeLessThan(5);
  });
});
