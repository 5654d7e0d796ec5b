import { readFileSync } from 'node:fs';
import { coded } from '@toolpact/origins/coded';
import { createResources, createToolbox, defineResource, defineTool, fail } from 'toolpact';
import { describe, expect, onTestFinished, test } from 'vitest';
import { raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

const vm = defineResource({ type: 'vm', open: () => ({ screen: 'blank' }) });

function openBox(contract: typeof vm = vm) {
  const resources = createResources([contract]);
  onTestFinished(async () => void (await resources.close()));
  const look = defineTool({
    name: 'vm:look',
    description: 'x',
    resource: vm,
    effects: 'none',
    run: async (_, ctx) => ({ screen: (await ctx.resource(vm)).screen }),
  });
  const crash = defineTool({
    name: 'vm:crash',
    description: 'x',
    resource: vm,
    effects: 'none',
    run: () => {
      throw new Error('the machine stopped');
    },
  });
  return createToolbox([look, crash], { preset, resources, report: () => undefined });
}

describe('002 resources and sessions', () => {
  test.each([
    ['vm:look', 0],
    ['vm:crash', 5004],
  ] as const)('002-07 `resource_type` is that of the resource, on failures too (%s)', async (name, code) => {
    const { code: written, meta } = coded.encode(await openBox().answer({ name }), { strict: true });
    expect({ written, type: meta.resource_type }).toEqual({ written: code, type: 'vm' });
  });

  test.each([
    ['result', 0],
    ['boom', 5004],
  ])('002-07 a tool that needs nothing opened states it, on failures too (%s)', async (end, code) => {
    const my_tool = defineTool({
      name: 'my_tool',
      description: 'x',
      resourceType: 'my_resource',
      effects: 'none',
      run: () => {
        if (end === 'boom') throw new Error('boom');
        return { result: end };
      },
    });
    const toolbox = createToolbox([my_tool], { preset, report: () => undefined });
    const written = coded.encode(await toolbox.call('my_tool', {}, { sessionId: 's-1', traceId: 't-1' }), { strict: true });
    expect(written).toMatchObject({ code, meta: { tool: 'my_tool', resource_type: 'my_resource', session_id: 's-1', trace_id: 't-1' } });
  });

  test.each<readonly [failure: string, part: Partial<typeof vm>, code: number]>([
    ['a session does not open', { open: () => raise(new Error('no machine is free')) }, 4006],
    ['a session opens as an error', { open: () => fail('upstream', 'No machine is free.') as never }, 4006],
    ['the backend does not warm up', { warmUp: () => raise(new Error('no index')) }, 5010],
    ['the backend warms up as an error', { warmUp: () => fail('unreachable', 'The index is not there.') }, 5010],
  ])('002-16 002-26 %s', async (_, part, code) => {
    const outcome = await openBox({ ...vm, ...part }).answer({ name: 'vm:look' });
    expect(coded.encode(outcome, { strict: true })).toMatchObject({
      code,
      meta: { resource_type: 'vm', session_id: outcome.meta.sessionId ?? null },
    });
  });

  test('002-16 a call without a session, where none may be opened for it', async () => {
    const outcome = await openBox({ ...vm, temporary: false }).answer({ name: 'vm:look' });
    expect(coded.encode(outcome, { strict: true })).toMatchObject({ code: 4006, meta: { session_id: null } });
  });

  test('002-48 strict writes only the documented fields, also for a call with a temporary session', async () => {
    const outcome = await openBox().answer({ name: 'vm:look' });
    expect(outcome.meta.temporarySession).toBe(true);
    const written = coded.encode(outcome, { strict: true });
    expect(Object.keys(written)).toEqual(['code', 'message', 'data', 'meta']);
    expect(Object.keys(written.meta)).toEqual(['tool', 'execution_time_ms', 'resource_type', 'session_id', 'trace_id']);
  });
});

test('002-41 every item of the migration checklist is answered', () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  const table = page.split('\n').filter((line) => line.startsWith('|'));
  const items = [
    'builders',
    '`session_id`, `trace_id`',
    '`ResponseTimer`',
    '`build_success_response`',
    '`build_error_response`',
    'tests',
    'documentation',
  ];
  expect(items.filter((item) => !table.some((line) => line.includes(item)))).toEqual([]);
});
