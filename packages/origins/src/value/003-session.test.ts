import { createToolbox, defineTool, type ToolpactEvent } from 'toolpact';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { raise } from '../../test/start-box.ts';
import { append, createSession, type FailureRecord, logSlice, stateSlice, toToolInvoked } from './index.ts';

const list = defineTool({
  name: 'list_files',
  description: 'Lists files.',
  input: z.object({ path: z.string() }),
  output: z.object({ files: z.array(z.string()) }),
  effects: 'none',
  run: ({ path }) => (path === 'gone' ? raise(new Error('the disk is gone')) : { files: [`${path}/a.ts`] }),
});
const paths = [{ path: 'src' }, { path: 'gone' }, { path: 7 }];

/** Runs a success, an exception and a validation error with a session listening. */
async function invoke<TEvents extends { readonly emit: (event: ToolpactEvent) => unknown }>(events: TEvents): Promise<TEvents> {
  const toolbox = createToolbox([list], { events, report: () => undefined });
  for (const args of paths) await toolbox.answer({ name: 'list_files', args });
  return events;
}

test('003-06 003-17 `ToolInvoked` has the result of every call, and is not dropped when its value is null', async () => {
  const ended: ToolpactEvent[] = [];
  await invoke({ emit: (event) => ended.push(event) });
  const invoked = ended.flatMap((event) => (event.type === 'call-end' ? [toToolInvoked(event)] : []));
  expect(invoked.map(({ name, params, result }) => ({ name, params, result }))).toEqual([
    { name: 'list_files', params: { path: 'src' }, result: { success: true, value: { files: ['src/a.ts'] }, message: 'OK' } },
    { name: 'list_files', params: { path: 'gone' }, result: { success: false, value: null, message: 'the disk is gone' } },
    { name: 'list_files', params: { path: 7 }, result: { success: false, value: null, message: expect.any(String) } },
  ]);
});

test('003-06 `ToolInvoked` has the worker and the span of its call', async () => {
  const ended: ToolpactEvent[] = [];
  const telemetry = { start: () => ({ spanId: 'b'.repeat(16), within: <T>(run: () => T) => run(), end: () => undefined }) };
  const toolbox = createToolbox([list], { events: { emit: (event) => ended.push(event) }, telemetry, report: () => undefined });
  await toolbox.call('list_files', { path: 'src' }, { workerId: 'worker-1', runId: 'run_1' });
  const [invoked] = ended.flatMap((event) => (event.type === 'call-end' ? [toToolInvoked(event)] : []));
  expect(invoked?.run_context).toMatchObject({ run_id: 'run_1', worker_id: 'worker-1', span_id: 'b'.repeat(16) });
});

test('003-07 003-15 reducers see success and failure by the flag, and record failures although the value is null', async () => {
  const results = logSlice<string>({
    on: {
      'call-end': append((event) => {
        const { success, value } = toToolInvoked(event).result;
        return `${success} ${JSON.stringify(value)}`;
      }),
    },
  });
  const session = await invoke(createSession({ slices: { results } }));
  expect(session.all('results')).toEqual(['true {"files":["src/a.ts"]}', 'false null', 'false null']);
});

test('003-16 failures have a slice of their own', async () => {
  const session = await invoke(createSession({ slices: {} }));
  const failures: readonly FailureRecord[] = session.all('failures');
  expect(failures.map(({ tool, error }) => [tool, error.message])).toEqual([
    ['list_files', 'the disk is gone'],
    ['list_files', expect.any(String)],
  ]);
});

test('003-18 a reducer that relies on a value does not break the call or its neighbours', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  const naive = stateSlice<number>({
    on: {
      'call-end': append((event) => (event.outcome as { data: { files: string[] } }).data.files.length),
    },
  });
  const all = logSlice<string>({ on: { 'call-end': append(({ outcome }) => outcome.status) } });
  const session = createSession({ slices: { naive, all } });
  await expect(invoke(session)).resolves.toBe(session);
  expect(session.all('naive')).toEqual([1]);
  expect(session.all('all')).toEqual(['ok', 'error', 'error']);
});
