import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createToolbox, defineTool, type Outcome } from '../../index.ts';
import { createRedactor } from '../../outcome/index.ts';
import { showArguments } from '../../runtime/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { approvals } from './approvals.ts';

const redactor = createRedactor({ paths: ['card.number'] });
const show = (input: unknown, most = 16_000) => showArguments(input, { redact: redactor.value, redactText: redactor.text }, most);
const handleOf = (outcome: Outcome) => (outcome.status === 'pending' ? outcome.pending.handle : '');

describe('what an approver is shown', () => {
  test.each([
    ['a URL with its query', { url: 'https://bank.example/pay?to=mallory&amount=99999' }],
    ['a URL with a fragment', { url: 'see https://a.example/#/pay?to=mallory, then go' }],
    ['a URL in a query', { url: 'https://a.example/go?next=https://b.example/pay?to=mallory#x' }],
    ['numbers, lists and nothing', { n: [1, -0.5, null, true], none: {} }],
    ['text of 10,000 characters', { text: 'a b '.repeat(2500) }],
    ['300 fields', Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}`, n]))],
  ])('is all of %s', (_, input) => {
    expect(show(input)).toEqual({ input, redactions: 0, cuts: 0 });
  });

  test.each([
    [
      'a secret in a query',
      { url: 'https://a.example/x?token=abcdef123456&to=bob' },
      { url: 'https://a.example/x?token=[redacted]&to=bob' },
      1,
    ],
    ['a login in a URL', { url: 'https://ann:hunter2@a.example/x?to=bob' }, { url: 'https://[redacted]@a.example/x?to=bob' }, 1],
    ['a secret in a command', { cmd: 'deploy --token "prod; rm -rf /" now' }, { cmd: 'deploy --token "[redacted]" now' }, 1],
    ['a secret field', { password: 'hunter2', deep: { api_key: 'k' } }, { password: '[redacted]', deep: { api_key: '[redacted]' } }, 2],
    ['a secret path', { card: { number: '4242', name: 'Ann' } }, { card: { number: '[redacted]', name: 'Ann' } }, 1],
    [
      'a login in the query of a URL',
      { url: 'https://a.example/go?next=https://ann:hunter2@b.example/x&to=bob' },
      { url: 'https://a.example/go?next=https://[redacted]@b.example/x&to=bob' },
      1,
    ],
    ['a secret URL with a query', { cmd: 'password="ab://c?rest" x' }, { cmd: 'password="[redacted]" x' }, 1],
  ])('marks and counts %s', (_, input, expected, redactions) => {
    expect(show(input)).toEqual({ input: expected, redactions, cuts: 0 });
  });

  test.each([
    ['a long text', { text: 'abcdefghij'.repeat(10) }, { text: `${'abcdefghij'.repeat(4).slice(0, 38)}… [62 more characters]` }],
    [
      'a long list',
      { l: Array.from({ length: 12 }, () => 'abcdef') },
      { l: ['abcdef', 'abcdef', 'abcdef', 'abcdef', '… [6 more characters]', '… [7 more items]'] },
    ],
    [
      'a long text before short fields',
      { note: 'abcdefghij'.repeat(10), amount: 7, to: 'bob' },
      { note: 'abcdefghijabcdefg… [83 more characters]', amount: 7, to: 'bob' },
    ],
    [
      'long texts before a short field',
      { note: 'abcdefghij'.repeat(10), more: 'abcdefghij'.repeat(10), amount: 7 },
      { note: 'abcdefghijabcdefg… [83 more characters]', more: 'abcde… [95 more characters]', amount: 7 },
    ],
    ['bytes', { b: new Uint8Array(7) }, { b: '[7 bytes]' }],
    ['a function', { f: () => 1 }, { f: '[function]' }],
  ])('marks and counts what is cut of %s', (_, input, expected) => {
    const shown = show(input, 50);
    expect([shown.input, shown.cuts > 0]).toEqual([expected, true]);
  });

  test('is cut to its limit whatever the arguments are', () => {
    const wide = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`field ${n}`, { n: ['x'.repeat(50)] }]));
    const deep = Array.from({ length: 30 }).reduce<object>(
      (inner) => ({ a: 'x'.repeat(20_000), b: 'y'.repeat(20_000), inner, c: 'z' }),
      {},
    );
    for (const input of [wide, deep]) expect(JSON.stringify(show(input).input).length).toBeLessThan(40_000);
    const shown = show(wide);
    expect(shown.cuts).toBeGreaterThan(0);
  });
});

describe('an approval', () => {
  const setUp = (options: { readonly maxWaiting?: number } = {}) => {
    const ran: unknown[] = [];
    const fetchPage = defineTool({
      name: 'fetch_page',
      description: 'Fetches a page.',
      input: z.object({ url: z.string(), times: z.coerce.number().default(1) }),
      approval: ({ url }) => `Fetch ${url}?`,
      run: (input) => {
        ran.push(input);
        return 'done';
      },
    });
    const store = memoryStore();
    return { ran, box: createToolbox([fetchPage], { use: [approvals({ store, ...options })], report: () => undefined }) };
  };

  test('shows the checked arguments, which are those that run', async () => {
    const { box, ran } = setUp();
    const args = { url: 'https://bank.example/pay?to=mallory&amount=99999', times: '2', note: 'stripped by the schema' };
    const asked = await box.answer({ name: 'fetch_page', args });
    const handle = handleOf(asked);
    const [approval] = await box.listApprovals();
    const question = 'Fetch https://bank.example/pay?to=mallory&amount=99999?';
    expect(approval?.question).toBe(question);
    // Some approvers see the question of the outcome only: MCP clients, and users whom the model asks.
    expect(asked).toMatchObject({ message: expect.stringContaining(question), pending: { ask: { message: question } } });
    expect(approval?.input).toEqual({ url: 'https://bank.example/pay?to=mallory&amount=99999', times: 2 });
    await box.decide(handle, 'approve');
    await box.answer({ name: 'fetch_page', args });
    expect(ran).toEqual([approval?.input]);
  });

  test('says in its question that something is not shown', async () => {
    const { box } = setUp();
    const outcome = await box.answer({
      name: 'fetch_page',
      args: { url: `https://a.example/?token=abcdef123456&x=${'y'.repeat(20_000)}` },
    });
    expect(outcome.status === 'pending' && outcome.pending.ask?.message).toMatch(
      / \(Not all of the arguments are shown: 1 hidden as secret, 1 cut or not readable\.\)$/,
    );
    expect((await box.listApprovals())[0]).toMatchObject({ redactions: 1, cuts: 1 });
  });

  test('of arguments that look alike is not an approval of others', async () => {
    const { box, ran } = setUp();
    const call = (end: string) => box.answer({ name: 'fetch_page', args: { url: `https://a.example/${'y'.repeat(20_000)}${end}` } });
    await box.decide(handleOf(await call('a')), 'approve');
    expect((await call('b')).status).toBe('pending');
    expect(ran).toEqual([]);
  });

  test('is refused when too many calls of a tenant wait, and possible again after a decision', async () => {
    const { box } = setUp({ maxWaiting: 2 });
    const call = (n: number, tenantId = 't1') => box.answer({ name: 'fetch_page', args: { url: `https://a.example/${n}` } }, { tenantId });
    const handle = handleOf(await call(1));
    expect([(await call(2)).status, (await call(1)).status]).toEqual(['pending', 'pending']);
    expect(await call(3)).toMatchObject({ status: 'error', error: { kind: 'rate_limited', effect: 'none' } });
    expect((await call(3, 't2')).status).toBe('pending');
    await box.with({ tenantId: 't1' }).decide(handle, 'deny');
    expect((await call(3)).status).toBe('pending');
  });
});
