import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { skipTime } from '../../../../proofs/fixtures/skip-time.ts';
import type { ToolpactEvent } from '../events/index.ts';
import { fail, type Outcome, ok, pending } from '../outcome/index.ts';
import type { CallSpan, Guard, Telemetry } from '../ports/index.ts';
import { createToolbox, type ToolboxOptions } from '../toolbox/create-toolbox.ts';
import { defineTool } from './define-tool.ts';
import { defineGuard } from './guards/define-guard.ts';

skipTime();

const input = z.object({ how: z.string() });

/** A tool that ends in the way that its arguments name. */
const tool = defineTool({
  name: 'act',
  description: 'Acts.',
  input,
  output: z.number(),
  timeoutMs: 20,
  async run({ how }, { signal }) {
    if (how === 'throw') throw new Error('thrown');
    if (how === 'fail') throw fail('not_found', 'No such thing.');
    if (how === 'return a failure') return fail('not_found', 'No such thing.');
    if (how === 'wrong') return 'text' as unknown as number;
    if (how === 'pending') return pending({ handle: 'h', reason: 'running' });
    if (how === 'hang') await new Promise((resolve) => signal.addEventListener('abort', resolve));
    return ok(1);
  },
});

const guards = {
  deny: defineGuard({ name: 'deny', phase: 'policy', around: (call) => call.refuse('denied', 'No.') }),
  broken: defineGuard({
    name: 'broken',
    phase: 'policy',
    around: () => {
      throw new Error('guard');
    },
  }),
  replay: defineGuard({
    name: 'replay',
    phase: 'key',
    around: () => ({ status: 'ok', data: 7, meta: { tookMs: 1, attempts: 1, replayed: true } }),
  }),
  retry: defineGuard({
    name: 'retry',
    phase: 'retry',
    async around(_call, next) {
      const first = await next();
      return first.status === 'error' ? next() : first;
    },
  }),
} satisfies Record<string, Guard>;

async function watch(args: unknown, options: ToolboxOptions = {}, name = 'act'): Promise<{ events: ToolpactEvent[]; outcome: Outcome }> {
  const events: ToolpactEvent[] = [];
  const toolbox = createToolbox([tool], { report: () => {}, events: { emit: (event) => events.push(event) }, ...options });
  const outcome = await toolbox.answer({ name, args, callId: 'call_1' });
  return { events, outcome };
}

describe('a watched call', () => {
  test.each<[string, unknown, ToolboxOptions, string | undefined, string[], string]>([
    ['that succeeds', { how: 'ok' }, {}, undefined, ['attempt-end'], 'ok'],
    ['that waits', { how: 'pending' }, {}, undefined, ['attempt-end'], 'pending'],
    ['that throws', { how: 'throw' }, {}, undefined, ['attempt-end'], 'failed'],
    ['that throws a failure', { how: 'fail' }, {}, undefined, ['attempt-end'], 'not_found'],
    ['that returns a failure', { how: 'return a failure' }, {}, undefined, ['attempt-end'], 'not_found'],
    ['that breaks its output schema', { how: 'wrong' }, {}, undefined, ['attempt-end'], 'invalid_output'],
    ['that hangs', { how: 'hang' }, {}, undefined, ['attempt-end'], 'timeout'],
    ['with arguments that break the schema', { how: 1 }, {}, undefined, [], 'invalid_input'],
    ['with arguments that are no JSON', '{"how":', {}, undefined, [], 'invalid_input'],
    ['with arguments that cannot be read', nested(300), {}, undefined, [], 'invalid_input'],
    ['of a tool that is not there', {}, {}, 'made_up', [], 'unknown_tool'],
    ['that a guard denies', { how: 'ok' }, { use: [guards.deny] }, undefined, [], 'denied'],
    ['whose guard is broken', { how: 'ok' }, { use: [guards.broken] }, undefined, [], 'failed'],
    ['that a guard replays', { how: 'ok' }, { use: [guards.replay] }, undefined, [], 'ok'],
    ['that is tried twice', { how: 'throw' }, { use: [guards.retry] }, undefined, ['attempt-end', 'attempt-end'], 'failed'],
    ['that hangs behind a guard', { how: 'hang' }, { use: [guards.retry] }, undefined, ['attempt-end'], 'timeout'],
  ])('%s has one start, one end for each attempt and one end', async (_, args, options, name, attempts, ends) => {
    const { events, outcome } = await watch(args, options, name);
    const own = events.filter(({ type }) => type !== 'late');
    expect(own.map(({ type }) => type)).toEqual(['call-start', ...attempts, 'call-end']);
    expect(outcome.status === 'error' ? outcome.error.kind : outcome.status).toBe(ends);
    const last = own.at(-1);
    if (last?.type !== 'call-end') expect.unreachable();
    expect(last.outcome).toEqual(outcome);
    expect(new Set(events.map((event) => 'call' in event && event.call)).size).toBe(1);
    expect(events.every(({ v, id }) => v === 1 && id !== '')).toBe(true);
    expect(JSON.parse(JSON.stringify(events))).toEqual(events.map((event) => JSON.parse(JSON.stringify(event))));
  });

  test('without guards ends together with its attempt, before another one goes on', async () => {
    const events: string[] = [];
    const echo = defineTool({ name: 'echo', description: 'Echoes.', effects: 'none', run: async () => 1 });
    const emit = (event: ToolpactEvent): unknown => 'callId' in event && events.push(`${event.callId} ${event.type}`);
    const toolbox = createToolbox([echo], { events: { emit } });
    await Promise.all([toolbox.call('echo', {}, { callId: 'a' }), toolbox.call('echo', {}, { callId: 'b' })]);
    expect(events).toEqual(['a call-start', 'b call-start', 'a attempt-end', 'a call-end', 'b attempt-end', 'b call-end']);
  });

  test('tells which call its events belong to, with secrets in the arguments hidden', async () => {
    const events: ToolpactEvent[] = [];
    const secret = defineTool({ name: 'open', description: 'Opens.', input: z.object({ password: z.string() }), run: () => 1 });
    const toolbox = createToolbox([secret], { events: { emit: (event) => events.push(event) } });
    const context = { callId: 'call_1', sessionId: 's', runId: 'run_1', userId: 'u', adapter: 'openai', promptName: 'helper' };
    await toolbox.call('open', { password: 'hunter2' }, context);
    expect(events[0]).toMatchObject({ type: 'call-start', tool: 'open', ...context, input: { password: '[redacted]' } });
    expect(events.map((event) => ('tool' in event ? event.tool : undefined))).toEqual(['open', 'open', 'open']);
  });

  test('numbers its attempts and says how each ended', async () => {
    const { events } = await watch({ how: 'throw' }, { use: [guards.retry] });
    expect(events.filter(({ type }) => type === 'attempt-end')).toMatchObject([
      { attempt: 1, status: 'error', error: { kind: 'failed' } },
      { attempt: 2, status: 'error', error: { kind: 'failed' } },
    ]);
  });

  test('that its caller stops has its end as well', async () => {
    const events: ToolpactEvent[] = [];
    const toolbox = createToolbox([tool], { report: () => {}, events: { emit: (event) => events.push(event) } });
    const controller = new AbortController();
    const outcome = toolbox.call('act', { how: 'hang' }, { signal: controller.signal });
    controller.abort();
    expect(await outcome).toMatchObject({ error: { kind: 'cancelled' } });
    expect(events.map(({ type }) => type)).toEqual(['call-start', 'attempt-end', 'call-end']);
  });

  test('is not harmed by a sink that throws or rejects', async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
    const sinks = [
      () => {
        throw new Error('sink');
      },
      () => Promise.reject(new Error('sink')),
    ];
    for (const emit of sinks)
      expect(await watch({ how: 'ok' }, { events: { emit } })).toMatchObject({ outcome: { status: 'ok', data: 1 } });
    complaint.mockRestore();
  });

  test('is not harmed by a session that fails, whether there is a tool or not', async () => {
    const emit = vi.fn();
    const broken = () => {
      throw new Error('session');
    };
    const events = Object.defineProperty({ emit, forCall: broken }, 'id', { get: broken });
    const curious = defineTool({ name: 'curious', description: 'Looks.', run: (_, { session }) => session === undefined });
    const toolbox = createToolbox([curious], { events, report: () => {} });
    expect(await toolbox.call('curious', {})).toMatchObject({ status: 'ok', data: true });
    expect(await toolbox.answer({ name: 'nobody' })).toMatchObject({ status: 'error', error: { kind: 'unknown_tool' } });
    expect(emit).toHaveBeenCalledTimes(5);
  });

  test('lets a guard and a provider loop tell of other things', async () => {
    const events: ToolpactEvent[] = [];
    const asking: Guard = defineGuard({
      name: 'ask',
      phase: 'approval',
      around: (call, next) => {
        call.emit({ type: 'approval-granted', handle: 'h', tool: call.tool.name });
        return next();
      },
    });
    const toolbox = createToolbox([tool], { use: [asking], events: { emit: (event) => events.push(event) } });
    toolbox.emit({ type: 'prompt-start', promptName: 'helper' });
    await toolbox.call('act', { how: 'ok' });
    expect(events.map(({ type }) => type)).toEqual(['prompt-start', 'call-start', 'approval-granted', 'attempt-end', 'call-end']);
  });
});

describe('telemetry', () => {
  const spanOf = (calls: string[]): CallSpan => ({
    traceId: 'f'.repeat(32),
    within: (run, attempt) => {
      calls.push(`within ${attempt}`);
      return run();
    },
    endAttempt: ({ status }) => calls.push(`attempt ${status}`),
    end: ({ status }) => calls.push(`end ${status}`),
  });

  test('sees the call begin, each attempt from around it, and the end', async () => {
    const calls: string[] = [];
    const telemetry: Telemetry = {
      start: ({ tool, description, received }) => {
        calls.push(`start ${tool} ${description} ${JSON.stringify(received)}`);
        return spanOf(calls);
      },
    };
    const { outcome } = await watch({ how: 'throw' }, { telemetry, use: [guards.retry] });
    expect(calls).toEqual(['start act Acts. {"how":"throw"}', 'within 1', 'attempt error', 'within 2', 'attempt error', 'end error']);
    expect(outcome.meta.traceId).toBe('f'.repeat(32));
  });

  test('knows a tool that is not there by its missing description', async () => {
    const seen: unknown[] = [];
    await watch({}, { telemetry: { start: ({ tool, description }) => void seen.push([tool, description]) } }, 'made_up');
    expect(seen).toEqual([['made_up', undefined]]);
  });

  test('that runs the handler twice runs it once', async () => {
    const run = vi.fn(() => 1);
    const within: CallSpan['within'] = (handler) => {
      handler();
      return handler();
    };
    const toolbox = createToolbox([defineTool({ name: 'once', description: 'Counts.', run })], {
      telemetry: { start: () => ({ ...spanOf([]), within }) },
    });
    expect(await toolbox.call('once', {})).toMatchObject({ status: 'ok', data: 1 });
    expect(run).toHaveBeenCalledOnce();
  });

  test.each<[string, Telemetry]>([
    [
      'start',
      {
        start: () => {
          throw new Error('start');
        },
      },
    ],
    ['within', { start: () => ({ ...spanOf([]), within: () => broken() }) }],
    ['within, which never runs the handler', { start: () => ({ ...spanOf([]), within: () => undefined as never }) }],
    ['within, after the handler', { start: () => ({ ...spanOf([]), within: (run) => broken(run()) }) }],
    ['within, which gives another answer', { start: () => ({ ...spanOf([]), within: (run) => void run() as never }) }],
    ['end', { start: () => ({ ...spanOf([]), end: broken, endAttempt: broken }) }],
  ])('that breaks in %s breaks no call', async (_, telemetry) => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect((await watch({ how: 'ok' }, { telemetry })).outcome).toMatchObject({ status: 'ok', data: 1 });
    expect((await watch({ how: 'ok' }, { telemetry, use: [guards.retry] })).outcome).toMatchObject({ status: 'ok', data: 1 });
    complaint.mockRestore();
  });
});

function broken(..._: unknown[]): never {
  throw new Error('broken');
}

function nested(depth: number): unknown {
  return depth === 0 ? {} : { deeper: nested(depth - 1) };
}
