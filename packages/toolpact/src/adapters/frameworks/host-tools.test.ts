import { describe, expect, test } from 'vitest';
import type { ToolpactEvent } from '../../events/index.ts';
import { createToolbox, defineTool } from '../../index.ts';
import { hostTools, standInFor } from './host-tools.ts';

const hang = defineTool({
  name: 'hang',
  description: 'Ends when it is stopped.',
  effects: 'none',
  run: (_, { signal }) => new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
});
const toolbox = createToolbox([hang], { report: () => undefined });

describe('a call for a host', () => {
  test.each(['host', 'application'] as const)('is stopped by the signal of the %s, though the other gave one too', async (who) => {
    const signals = { host: new AbortController(), application: new AbortController() };
    const [tool] = hostTools(toolbox, 'any', { context: { signal: signals.application.signal } });
    const called = tool?.call({}, { turn: undefined, signal: signals.host.signal });
    signals[who].abort();
    expect(await called).toMatchObject({ status: 'error', error: { kind: 'cancelled' } });
  });

  test('is stopped by the host where the application says that it has no signal', async () => {
    const [tool] = hostTools(toolbox, 'any', { context: () => ({ signal: undefined }) as never });
    expect(await tool?.call({}, { turn: undefined, signal: AbortSignal.abort() })).toMatchObject({ error: { kind: 'cancelled' } });
  });

  test('does not run without the context it asked for', async () => {
    const context = (): never => {
      throw new Error('no tenant');
    };
    const [tool] = hostTools(toolbox, 'any', { context });
    expect(await tool?.call({}, { turn: undefined, callId: 'c1' })).toMatchObject({
      status: 'error',
      error: { kind: 'not_configured', effect: 'none' },
      meta: { tool: 'hang', callId: 'c1', attempts: 0 },
    });
  });

  test('that is stopped already is judged without the context: nothing will run', async () => {
    const context = (): never => {
      throw new Error('no tenant');
    };
    const lost = standInFor('nope', toolbox, 'any', { context });
    expect(await lost.call({}, { turn: undefined, signal: AbortSignal.abort() })).toMatchObject({ error: { kind: 'unknown_tool' } });
    const [tool] = hostTools(toolbox, 'any', { context });
    expect(await tool?.call({}, { turn: undefined, signal: AbortSignal.abort() })).toMatchObject({
      error: { kind: 'cancelled' },
      meta: { attempts: 0 },
    });
  });

  test('has an id of its own, also when the context that all calls of a run share names one', async () => {
    const [tool] = hostTools(toolbox, 'any', { context: () => ({ invocationId: 'same', runId: 'run_1' }) });
    const [first, second] = [
      await tool?.call({}, { turn: undefined, signal: AbortSignal.abort() }),
      await tool?.call({}, { turn: undefined, signal: AbortSignal.abort() }),
    ];
    expect([first?.meta.runId, second?.meta.runId]).toEqual(['run_1', 'run_1']);
    expect(new Set(['same', first?.meta.invocationId, second?.meta.invocationId]).size).toBe(3);
  });

  test('waits for the context it asked for', async () => {
    const whose = defineTool({
      name: 'whose',
      description: 'Tells whose call it is.',
      effects: 'none',
      run: (_, { tenantId }) => tenantId,
    });
    const [tool] = hostTools(createToolbox([whose]), 'any', { context: async () => ({ tenantId: 'acme' }) });
    expect(await tool?.call({}, { turn: undefined })).toMatchObject({ status: 'ok', data: 'acme' });
    const [lost] = hostTools(createToolbox([whose]), 'any', { context: () => Promise.reject(new Error('no tenant')) });
    expect(await lost?.call({}, { turn: undefined })).toMatchObject({ error: { kind: 'not_configured' } });
  });

  test.each([
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['never ends', () => new Promise(() => undefined)],
    [
      'throws',
      () => {
        throw new Error('broken');
      },
    ],
  ])('is not changed by a listener that %s', async (_, listener) => {
    const watched = createToolbox([hang], { report: () => undefined });
    watched.subscribe(listener);
    const [tool] = hostTools(watched, 'any');
    expect(await tool?.call({}, { turn: undefined, signal: AbortSignal.abort() })).toMatchObject({ error: { kind: 'cancelled' } });
  });

  test('that never comes to the toolbox has one start and one end all the same', async () => {
    const watched = createToolbox([hang], { report: () => undefined });
    const events: ToolpactEvent[] = [];
    watched.subscribe((event) => events.push(event));
    const [tool] = hostTools(watched, 'any', { context: () => Promise.reject(new Error('no tenant')) });
    await tool?.call({}, { turn: undefined, callId: 'c1' });
    expect(events.filter(({ type }) => type !== 'tools-offered')).toMatchObject([
      { type: 'call-start', tool: 'hang', callId: 'c1', adapter: 'any' },
      { type: 'call-end', tool: 'hang', callId: 'c1', outcome: { error: { kind: 'not_configured' } } },
    ]);
  });

  test('of a tool that is not there names the others as the host knows them', async () => {
    const rag = defineTool({ name: 'rag:search', description: 'Searches documents.', effects: 'none', run: () => 'found' });
    const both = createToolbox([hang, rag], { report: () => undefined });
    expect(await standInFor('rag_serch', both, 'any', {}).call({}, { turn: undefined })).toMatchObject({
      error: {
        kind: 'unknown_tool',
        message: 'There is no tool named "rag_serch".',
        advice: 'Did you mean "rag_search"?',
        details: { candidates: ['rag_search'] },
      },
    });
  });
});
