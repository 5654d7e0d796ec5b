import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { fail, pending, toModelText } from '../outcome/index.ts';
import { createToolbox, type ToolboxOptions } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import type { FailureReport } from './failure-report.ts';
import { causeOf } from './report.ts';

type Args = Record<string, unknown>;
interface Context {
  progress(message: string): void;
  log(message: string, details?: unknown): void;
}

/** Calls a tool and gives everything that is told of the call, but for the arguments that its caller reads back. */
async function allSaid(run: (args: Args, context: Context) => unknown, args: Args, options: ToolboxOptions = {}): Promise<string> {
  const told: unknown[] = [];
  const report = ({ input, error, failure }: FailureReport) => void told.push(input, error, failure);
  const tool = defineTool({ name: 'log_in', description: 'x', input: z.looseObject({}), effects: 'none', run: run as never });
  const toolbox = createToolbox([tool], { report, ...options });
  toolbox.subscribe((event) => void told.push(event));
  const { input: _, ...outcome } = await toolbox.call('log_in', args, { onProgress: (progress) => void told.push(progress) });
  const kept = outcome.status === 'error' ? causeOf(outcome.error.debugId) : undefined;
  return JSON.stringify([outcome, toModelText(outcome as never), told, kept?.error, kept?.input]);
}

function throwing(make: (args: Args) => unknown): (args: Args) => never {
  return (args) => {
    throw make(args);
  };
}

describe('a value that was sent under the name of a secret', () => {
  const args = { user: 'ann', password: 'hunter2', note: 'mine is hunter2' };

  test.each<[string, (args: Args, context: Context) => unknown]>([
    ['a message', throwing(({ password }) => new Error(`Login with ${password} failed`))],
    ['a cause', throwing(({ password }) => new Error('fetch failed', { cause: new Error(`The server refused ${password} again`) }))],
    ['the errors of several', throwing(({ password }) => new AggregateError([new Error(`no ${password}`)], 'All failed.'))],
    ['the name of an error', throwing(({ password }) => Object.assign(new Error('Login failed.'), { name: password, code: password }))],
    ['a failure', () => fail('not_found', 'No hunter2.', { advice: 'Not hunter2.', cause: 'hunter2', details: { tried: ['hunter2'] } })],
    [
      'a question',
      () => pending({ handle: 'h', reason: 'input', ask: { message: 'Is hunter2 right?' } } as never, { message: 'hunter2?' }),
    ],
    [
      'what a call tells while it runs',
      ({ password }, { progress, log }) => {
        progress(`trying ${password}`);
        log(`trying ${password}`, { tried: password });
        throw `trying ${password} failed`;
      },
    ],
  ])('is hidden in %s', async (_what, run) => {
    const said = await allSaid(run, args);
    expect(said).not.toContain('hunter2');
    expect(said).toContain('[redacted]');
  });

  test.each<[string, Args, string]>([
    ['a nested object', { login: { apiKey: 'plainvalue' } }, 'plainvalue'],
    ['an object of that name', { credentials: { user: 'ann', second: ['plainvalue'] } }, 'plainvalue'],
    ['a pair of name and value', { headers: [{ name: 'X-Api-Key', value: 'plain value 1' }] }, 'plain value 1'],
    ['a number', { passcode: 48151623 }, '48151623'],
    ['what follows a scheme', { authorization: 'Bearer plainvalue' }, 'plainvalue'],
    ['a line of several', { privateKey: 'first line\r\nplainvalue\r\nlast line' }, 'plainvalue'],
    ['a text that JSON writes otherwise', { password: 'plain"value' }, 'plain\\"value'],
    ['a text that addresses write otherwise', { token: 'plain value&' }, 'plain%20value%26'],
    ['a text with patterns of replacements', { token: "$&plain$'value" }, "$&plain$'value"],
  ])('is hidden where it is %s', async (_what, args, repeated) => {
    const outcome = await createToolbox([
      defineTool({
        name: 'act',
        description: 'x',
        input: z.looseObject({}),
        effects: 'none',
        run: throwing(() => `It has ${repeated} in it.`),
      }),
    ]).call('act', args);
    expect(outcome).toMatchObject({ error: { message: 'It has [redacted] in it.' } });
  });

  test('is hidden where an operator named its key or path', async () => {
    const run = throwing(({ owner, deep }) => new Error(`No ${owner} and ${(deep as Args).in}.`));
    const redact = { keys: ['owner'], paths: ['deep.*'] };
    const said = await allSaid(run, { owner: 'annabella', deep: { in: 'plainvalue' } }, { redact });
    expect(said).not.toMatch(/annabella|plainvalue/);
  });

  test('is hidden where the text ends in its middle', async () => {
    const secret = 'several plain words of a phrase';
    const run = throwing(() => new Error(`${'Many words. '.repeat(665)}${secret}`));
    expect(await allSaid(run, { passphrase: secret }, { expose: 'full' })).not.toContain('several');
  });

  test('is shown where it is too short to be told from other words, or another value has it', async () => {
    const said = await allSaid(
      throwing(() => new Error('No page of abc for annabella.')),
      { pin: 'abc', user: 'annabella', pageToken: 'page of' },
    );
    expect(said).toContain('No page of abc for annabella.');
  });

  test('is hidden whatever it is, wherever the message repeats it', async () => {
    const texts = fc.string({ minLength: 6, maxLength: 40, unit: 'grapheme-ascii' }).filter((text) => text.trim().length >= 6);
    const names = fc.constantFrom('password', 'apiKey', 'token', 'client_secret', 'AUTHORIZATION');
    const places = fc.constantFrom<(held: Args) => Args>(
      (held) => held,
      (held) => ({ a: { b: [held] } }),
    );
    const words = fc.lorem({ maxCount: 5 });
    await fc.assert(
      fc.asyncProperty(texts, names, places, words, words, async (secret, name, place, before, after) => {
        const trimmed = secret.trim();
        fc.pre(!'[redacted]'.includes(trimmed) && !`${before} ${after}`.includes(trimmed));
        const tool = defineTool({
          name: 'act',
          description: 'x',
          input: z.looseObject({}),
          effects: 'none',
          run: throwing(() => new Error(`${before} <${secret}> ${after}`)),
        });
        const outcome = await createToolbox([tool], { report: () => undefined }).call('act', place({ [name]: secret }));
        const { input: _, ...rest } = outcome;
        const { message } = (rest as { error: { message: string } }).error;
        expect(message).not.toContain(trimmed);
        expect(toModelText(outcome)).not.toContain(trimmed);
      }),
      { numRuns: 300 },
    );
  });
});

test('looking for secrets ends soon in huge arguments, and finds those near their top', async () => {
  const args = {
    values: Array.from({ length: 100_000 }, (_, at) => `value${at}`),
    fields: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`token${at}`, { a: { b: `text of ${at}` } }])),
    password: 'hunter2',
    key: 'x'.repeat(5_000_000),
  };
  const tool = defineTool({
    name: 'act',
    description: 'x',
    input: z.looseObject({}),
    effects: 'none',
    run: throwing(() => new Error(`hunter2 ${'a'.repeat(100_000)}`)),
  });
  const toolbox = createToolbox([tool], { report: () => undefined });
  const outcome = await toolbox.call('act', args);
  expect(toModelText(outcome)).not.toContain('hunter2');
});
