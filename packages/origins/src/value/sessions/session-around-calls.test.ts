import { createToolbox, defineTool } from 'toolpact';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { append, resultsOf } from './reducers.ts';
import { createSession } from './session.ts';
import { logSlice, stateSlice } from './slice.ts';

const note = defineTool({
  name: 'note',
  description: 'Notes.',
  input: z.object({ text: z.string(), fails: z.boolean() }),
  async run({ text, fails }, { session }) {
    session?.append('notes', text);
    session?.append('log', text);
    await Promise.resolve();
    if (fails) throw new Error('too bad');
    return { text };
  },
});
const create = () =>
  createSession({
    slices: {
      notes: stateSlice<string>(),
      log: logSlice<string>(),
      results: stateSlice<string>({ on: { 'call-end': append(resultsOf(note, ({ text }) => text)) } }),
    },
  });

describe('a session around calls', () => {
  test('keeps what succeeding calls wrote and undoes the rest, also in parallel', async () => {
    const session = create();
    const toolbox = createToolbox([note], { events: session, report: () => {} });
    await toolbox.batch([1, 2, 3, 4].map((index) => ({ tool: 'note', args: { text: String(index), fails: index % 2 === 0 } })));
    expect([session.all('notes'), session.all('log'), session.all('results')]).toEqual([
      ['1', '3'],
      ['1', '2', '3', '4'],
      ['1', '3'],
    ]);
    expect(session.all('failures').map(({ tool }) => tool)).toEqual(['note', 'note']);
  });

  test('can be brought by each caller, next to one of the toolbox', async () => {
    const [mine, yours] = [create(), create()];
    const toolbox = createToolbox([note], { events: mine });
    const outcome = await toolbox.with({ session: mine }).call('note', { text: 'a', fails: false });
    await toolbox.call('note', { text: 'b', fails: false }, { session: yours });
    expect([mine.all('notes'), yours.all('notes'), yours.all('results')]).toEqual([['a'], ['b'], ['b']]);
    expect(mine.all('results')).toEqual(['a', 'b']);
    expect(outcome.status).toBe('ok');
  });

  test('makes a call that a handler makes with its context a part of its own', async () => {
    const session = create();
    const outer = defineTool({
      name: 'outer',
      description: 'Calls on.',
      input: z.object({ fails: z.boolean() }),
      async run({ fails }, context) {
        context.session?.append('notes', 'outer');
        await note.call({ text: 'inner', fails: false }, context);
        await note.call({ text: 'failed inner', fails: true }, context);
        if (fails) throw new Error('too bad');
        return context.session?.all('notes') ?? [];
      },
    });
    const toolbox = createToolbox([outer], { events: session, report: () => {} });
    await toolbox.call('outer', { fails: true });
    expect([session.all('notes'), session.all('results')]).toEqual([[], []]);
    expect(await toolbox.call('outer', { fails: false })).toMatchObject({ data: ['outer', 'inner'] });
    expect([session.all('notes'), session.all('results')]).toEqual([['outer', 'inner'], ['inner']]);
    expect(session.all('log')).toEqual(['inner', 'failed inner', 'inner', 'failed inner']);
    expect(session.stats().openCalls).toBe(0);
  });

  test('is typed where the handler asks for it', async () => {
    const session = create();
    const typed = defineTool({
      name: 'typed',
      description: 'Writes.',
      run(_, context) {
        const view = session.within(context);
        view.append('notes', 'typed');
        // @ts-expect-error a note is a text
        view.append('notes', 1);
        return view.all('notes').length;
      },
    });
    const toolbox = createToolbox([typed], { events: session });
    expect(await toolbox.call('typed', {})).toMatchObject({ data: 2 });
    expect(await typed.call({})).toMatchObject({ status: 'error' });
  });
});
