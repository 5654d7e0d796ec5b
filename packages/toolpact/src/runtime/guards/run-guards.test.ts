import process from 'node:process';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { takes } from '../../../../../proofs/fixtures/skip-time.ts';
import type { ToolpactEvent } from '../../events/index.ts';
import { fail, type Outcome, pending } from '../../outcome/index.ts';
import type { Guard, GuardedCall, GuardPhase } from '../../ports/index.ts';
import { createToolbox, type ToolboxOptions } from '../../toolbox/create-toolbox.ts';
import { defineTool } from '../define-tool.ts';
import { defineGuard } from './define-guard.ts';

const silent: ToolboxOptions = { report: () => undefined };

interface Seen {
  readonly phase: GuardPhase;
  readonly tool: string;
  readonly input: unknown;
  readonly outcome: string;
}

/** A guard that writes down what it saw of a call, and how the call went inside it. */
function watching(phase: GuardPhase, seen: Seen[]): Guard {
  return defineGuard({
    name: phase,
    phase,
    around: async ({ tool, input }, next) => {
      const outcome = await next();
      seen.push({ phase, tool: tool.name, input, outcome: short(outcome) });
      return outcome;
    },
  });
}

const short = (outcome: Outcome) => (outcome.status === 'error' ? (outcome.error.code ?? outcome.error.kind) : outcome.status);
const settled = () => new Promise((resolve) => setImmediate(resolve));

const act = defineTool({
  name: 'act',
  description: 'x',
  effects: 'none',
  input: z.object({ n: z.coerce.number() }),
  run: ({ n }) => n,
});

describe('the first two phases', () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;

  test.each([
    ['a call that runs', { name: 'act', args: { n: '3' } }, {}, 'act', { n: '3' }, 'ok'],
    ['wrong arguments', { name: 'act', args: { n: 'x' } }, {}, 'act', { n: 'x' }, 'invalid_input'],
    ['arguments that are no JSON', { name: 'act', args: '{"n": ' }, {}, 'act', '{"n": ', 'arguments_truncated'],
    ['arguments that cannot be read', { name: 'act', args: cyclic }, {}, 'act', undefined, 'invalid_input'],
    ['an unknown tool', { name: 'nope', args: { n: 1 } }, {}, 'nope', { n: 1 }, 'unknown_tool'],
    ['no tool at all', { name: undefined as never }, {}, '', {}, 'unknown_tool'],
    ['a call that has no time', { name: 'act', args: { n: 1 } }, { timeoutMs: 0 }, 'act', { n: 1 }, 'timeout'],
  ])('see %s, with the arguments as received', async (_, asked, context, tool, input, outcome) => {
    const seen: Seen[] = [];
    const use = [watching('repeat', seen), watching('list', seen)];
    expect(short(await createToolbox([act], { ...silent, use }).answer(asked, context))).toBe(outcome);
    await settled();
    expect(seen).toEqual([
      { phase: 'repeat', tool, input, outcome },
      { phase: 'list', tool, input, outcome },
    ]);
  });

  test('hear how a call ended that its caller had stopped before it began', async () => {
    const ends: string[] = [];
    const guard: Guard = defineGuard({
      name: 'ends',
      phase: 'repeat',
      around: (call, next) => {
        call.onEnd((outcome) => ends.push(short(outcome)));
        return next();
      },
    });
    const toolbox = createToolbox([act], { ...silent, use: [guard] });
    expect(short(await toolbox.call('act', { n: 1 }, { signal: AbortSignal.abort() }))).toBe('cancelled');
    // Such a call has ended before any guard could look at it.
    expect(ends).toEqual([]);
  });

  test('may stop listening for the end of a call', async () => {
    const ends: string[] = [];
    const guard: Guard = defineGuard({
      name: 'ends',
      phase: 'repeat',
      around: (call, next) => {
        call.onEnd(() => ends.push('kept'));
        const stop = call.onEnd(() => ends.push('removed'));
        stop();
        return next();
      },
    });
    await createToolbox([act], { ...silent, use: [guard] }).call('act', { n: 1 });
    expect(ends).toEqual(['kept']);
  });

  test.each([
    ['a call that would run', { name: 'act', args: { n: 1 } }],
    ['wrong arguments', { name: 'act', args: { n: 'x' } }],
    ['an unknown tool', { name: 'nope' }],
  ])('may answer %s in their own way', async (_, asked) => {
    const guard: Guard = defineGuard({
      name: 'no',
      phase: 'repeat',
      around: (call) => call.refuse('denied', 'No.', { code: 'repeat_refused' }),
    });
    const events: ToolpactEvent[] = [];
    const toolbox = createToolbox([act], { ...silent, use: [guard], events: { emit: (event) => void events.push(event) } });
    const outcome = await toolbox.answer(asked);
    expect(outcome).toMatchObject({ error: { kind: 'denied', code: 'repeat_refused', effect: 'none' }, meta: { attempts: 0 } });
    expect(events.map(({ type }) => type)).toEqual(['call-start', 'call-end']);
    expect(events[1]).toMatchObject({ outcome });
  });

  test('may change what a call that does not run is answered', async () => {
    const guard: Guard = defineGuard({
      name: 'add',
      phase: 'repeat',
      around: async (_call, next) => {
        const outcome = await next();
        return { ...outcome, meta: { ...outcome.meta, warnings: ['seen'] } } as Outcome;
      },
    });
    expect(await createToolbox([act], { ...silent, use: [guard] }).answer({ name: 'nope' })).toMatchObject({
      error: { kind: 'unknown_tool' },
      meta: { warnings: ['seen'] },
    });
  });

  test('that fail become a refusal before, and a warning after', async () => {
    const failing = (when: 'before' | 'after'): Guard =>
      defineGuard({
        name: when,
        phase: 'list',
        around: async (_call, next) => {
          if (when === 'after') await next();
          throw new Error('x');
        },
      });
    expect(short(await createToolbox([act], { ...silent, use: [failing('before')] }).answer({ name: 'nope' }))).toBe('failed');
    expect(await createToolbox([act], { ...silent, use: [failing('after')] }).answer({ name: 'nope' })).toMatchObject({
      error: { kind: 'unknown_tool' },
      meta: { warnings: ['the guard "after" failed after the call'] },
    });
  });

  test('that hang are ended by the deadline, for an unknown tool too', async () => {
    const hanging: Guard = defineGuard({ name: 'hang', phase: 'repeat', around: () => new Promise(() => undefined) });
    const toolbox = createToolbox([act], { ...silent, use: [hanging] });
    expect(short(await toolbox.answer({ name: 'nope' }, { timeoutMs: 10 }))).toBe('timeout');
    expect(short(await toolbox.answer({ name: 'act', args: { n: 'x' } }, { timeoutMs: 10 }))).toBe('timeout');
  });

  test('see a tool whose schema throws', async () => {
    const seen: Seen[] = [];
    const odd = checkedBy(() => {
      throw new Error('boom');
    });
    const toolbox = createToolbox([odd], { ...silent, use: [watching('repeat', seen)] });
    expect(short(await toolbox.answer({ name: 'odd', args: { n: 1 } }))).toBe('failed');
    expect(seen).toEqual([{ phase: 'repeat', tool: 'odd', input: { n: 1 }, outcome: 'failed' }]);
  });

  test.each([
    ['wait', (_call: GuardedCall, next: () => Promise<Outcome>) => settled().then(next)],
    ['refuse', (call: GuardedCall) => call.refuse('denied', 'No.')],
  ])('that %s leave no rejection behind when an asynchronous schema fails', async (_, around) => {
    const strays = vi.fn();
    process.on('unhandledRejection', strays);
    const odd = checkedBy(() => Promise.reject(new Error('boom')));
    const outcome = await createToolbox([odd], { ...silent, use: [defineGuard({ name: 'g', phase: 'repeat', around })] }).answer({
      name: 'odd',
    });
    await settled();
    process.off('unhandledRejection', strays);
    expect(outcome.status).toBe('error');
    expect(strays).not.toHaveBeenCalled();
  });
});

/** A tool with a schema of its own kind. */
function checkedBy(validate: () => never | Promise<never>) {
  const input = { '~standard': { version: 1, vendor: 'test', validate } } as const;
  return defineTool({ name: 'odd', description: 'x', effects: 'none', input, jsonSchema: { input: { type: 'object' } }, run: () => 1 });
}

describe('the other phases', () => {
  test.each([
    ['wrong arguments', { name: 'act', args: { n: 'x' } }],
    ['an unknown tool', { name: 'nope' }],
  ])('do not see %s', async (_, asked) => {
    const seen: Seen[] = [];
    const phases = ['policy', 'remember', 'approval', 'budget', 'limit', 'key', 'result', 'retry', 'run'] as const;
    await createToolbox([act], { ...silent, use: phases.map((phase) => watching(phase, seen)) }).answer(asked);
    expect(seen).toEqual([]);
  });

  test('see the checked input', async () => {
    const seen: Seen[] = [];
    await createToolbox([act], { ...silent, use: [watching('policy', seen)] }).answer({ name: 'act', args: '{"n": "3"}' });
    expect(seen).toEqual([{ phase: 'policy', tool: 'act', input: { n: 3 }, outcome: 'ok' }]);
  });

  test('may run a call again; its time is that of the whole call, whatever it ends as', async () => {
    vi.useFakeTimers();
    const again: Guard = defineGuard({
      name: 'again',
      phase: 'retry',
      around: async (_call, next) => {
        await next();
        await takes(100);
        return next();
      },
    });
    const later = defineTool({
      name: 'later',
      description: 'x',
      effects: 'none',
      // A time of its own: deadlines of equal length share a timer, and this one must not outlive the clock of this test.
      timeoutMs: 12_345,
      run: (_input, { attempt }) => (attempt === 1 ? fail('upstream', 'Down.') : pending({ handle: 'h', reason: 'running' })),
    });
    const call = createToolbox([later], { ...silent, use: [again] }).call('later', {});
    await vi.advanceTimersByTimeAsync(100);
    expect(await call).toMatchObject({ status: 'pending', meta: { attempts: 2, tookMs: 100 } });
    vi.useRealTimers();
  });
});

test.each([{}, null, 'act'])('what is no tool is refused as such (%j)', (given) => {
  expect(() => createToolbox([given as never])).toThrow(expect.objectContaining({ code: 'invalid_option' }));
});
