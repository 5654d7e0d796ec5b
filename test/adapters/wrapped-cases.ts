import { describe, expect, test } from 'vitest';
import { type AnyTool, createToolbox } from '../../src/index.ts';
import { approvals } from '../../src/parts/guards/index.ts';
import { memoryStore } from '../../src/parts/stores/memory.ts';
import { toolbox as weather } from './weather-tool.ts';

/** What a tool does when it is called with `{ n }`. */
export type Run = (n: number, signal: AbortSignal | undefined) => unknown;

/** How the tools of one host are made and wrapped. */
export interface Wrapping {
  /** Makes a tool of the host that is named `own`, takes a number `n` and, as far as the host asks for it, needs an approval; and wraps it. */
  readonly wrap: (run: Run, options: WrapOptions) => readonly AnyTool[];
  /** Gives a toolbox to the host and takes the tools back. */
  readonly back: (toolbox: typeof weather) => readonly AnyTool[];
  /** Whether tools of the host may ask for an approval. */
  readonly asksApproval: boolean;
}

/** What is said beside the tool: options of `fromTools`, and whether the tool itself needs an approval. */
export interface WrapOptions {
  readonly effects?: 'none';
  readonly timeoutMs?: number;
  readonly returnsErrors?: boolean;
  readonly needsApproval?: boolean | ((n: number) => boolean);
}

const quiet = { report: () => undefined };

/** Tests what wrapped tools of every host do alike. */
export function testWrapped({ wrap, back, asksApproval }: Wrapping): void {
  const answer = (run: Run, args: unknown = { n: 1 }, options: WrapOptions = {}) =>
    createToolbox(wrap(run, { effects: 'none', ...options }), quiet).answer({ name: 'own', args });

  test.each<[string, Run, object, WrapOptions?]>([
    ['a text', () => 'fine', { status: 'ok', data: 'fine' }],
    ['an object', async (n) => ({ twice: n * 2 }), { status: 'ok', data: { twice: 2 } }],
    ['a list', () => [1, 2], { status: 'ok', data: [1, 2] }],
    ['nothing', () => undefined, { status: 'ok', data: null }],
    ['a map', () => new Map([['a', 1]]), { status: 'ok', data: { a: 1 } }],
    ['an error that it returns', () => ({ error: 'no' }), { status: 'ok', data: { error: 'no' } }],
    [
      'an error that it returns, if that means one',
      () => ({ error: '404: no such account' }),
      { status: 'error', error: { kind: 'not_found', message: '404: no such account' } },
      { returnsErrors: true },
    ],
    [
      'an error with a status',
      () => {
        throw Object.assign(new Error('slow down'), { status: 429, headers: { 'retry-after': '7' } });
      },
      { status: 'error', error: { kind: 'rate_limited', message: 'slow down', retryAfterMs: 7000 } },
    ],
    [
      'an error whose cause says more',
      async () => {
        throw new TypeError('fetch failed', { cause: Object.assign(new Error('no'), { code: 'ECONNREFUSED' }) });
      },
      { status: 'error', error: { kind: 'unreachable', cause: 'ECONNREFUSED' } },
    ],
  ])('a tool that gives %s', async (_, run, outcome, options) => {
    expect(await answer(run, { n: 1 }, options)).toMatchObject(outcome);
  });

  test('wrong arguments do not reach a tool, and its schema is shown', async () => {
    let isReached = false;
    const reach = () => {
      isReached = true;
    };
    expect(createToolbox(wrap(reach, {}), quiet).list()[0]).toMatchObject({
      name: 'own',
      description: 'Own.',
      effects: 'writes',
      inputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    });
    expect(await answer(reach, { n: 'x' })).toMatchObject({
      status: 'error',
      error: { kind: 'invalid_input', effect: 'none', issues: [{ path: ['n'], problem: 'type' }] },
    });
    expect(isReached).toBe(false);
  });

  test('a tool is stopped with its call', async () => {
    let heard: AbortSignal | undefined;
    const hang: Run = (_, signal) => {
      heard = signal;
      return new Promise(() => undefined);
    };
    expect(await answer(hang, { n: 1 }, { timeoutMs: 20 })).toMatchObject({ status: 'error', error: { kind: 'timeout' } });
    expect(heard?.aborted).toBe(true);
  });

  test('outcomes of tools that went through both ways stay outcomes', async () => {
    const box = createToolbox(back(weather), quiet);
    const call = (city: string) => box.answer({ name: 'weather_forecast', args: { city } });
    expect(await call('Paris')).toMatchObject({ status: 'ok', data: { city: 'Paris', celsius: 21 } });
    expect(await call('Oslo')).toMatchObject({ status: 'error', error: { kind: 'rate_limited', retryAfterMs: 3000 } });
    expect(await call('Nordland')).toMatchObject({ status: 'partial', total: 2 });
  });

  if (!asksApproval) return;
  describe('approvals', () => {
    test.each<[string, boolean | ((n: number) => boolean), number, string[]]>([
      ['always', true, 1, ['pending', 'ok']],
      ['for these arguments', (n) => n > 10, 50, ['pending', 'ok']],
      ['for other arguments', (n) => n > 10, 5, ['ok']],
    ])('a tool that needs one %s', async (_, needsApproval, n, statuses) => {
      const box = createToolbox(
        wrap(() => 'paid', { needsApproval }),
        { ...quiet, use: [approvals({ store: memoryStore() })] },
      );
      const found = [];
      let outcome = await box.answer({ name: 'own', args: { n } });
      found.push(outcome.status);
      if (outcome.status === 'pending') {
        await box.decide(outcome.pending.handle, 'approve');
        outcome = await box.answer({ name: 'own', args: { n } });
        found.push(outcome.status);
      }
      expect(found).toEqual(statuses);
      expect(outcome).toMatchObject({ data: 'paid' });
    });

    test('a toolbox without a guard for them does not take such a tool', () => {
      expect(() => createToolbox(wrap(() => 'paid', { needsApproval: true }))).toThrow('approvals');
    });
  });
}
