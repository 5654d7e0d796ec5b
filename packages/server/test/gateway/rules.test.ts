import type { Outcome } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { describe, expect, test } from 'vitest';
import { createGateway, type GatewayRule } from '../../src/index.ts';
import { notes, openGateway } from './open-gateway.ts';

const write = (args: object) => ({ name: 'write_note', args });

test('a tool asks a person, in the words of the rule, and runs once it is allowed', async () => {
  const { toolbox } = await openGateway({
    servers: { notes },
    rules: [{ tool: 'write_*', approval: 'Write the note {title}?' }],
    store: memoryStore(),
  });
  const asked = await toolbox.answer(write({ title: 'a', text: 'b' }));
  if (asked.status !== 'pending') throw new Error(asked.status);
  expect(asked.pending).toMatchObject({ reason: 'approval', ask: { message: 'Write the note a?' } });
  await toolbox.approvals?.decide(asked.pending.handle, 'approve');
  expect(await toolbox.answer(write({ title: 'a', text: 'b' }))).toMatchObject({ status: 'ok', data: 'written' });
});

test('a person sees what a call would change, as a function of the rule works it out, and it runs only if that is still so', async () => {
  const read = (title: unknown): Promise<Outcome> => gateway.toolbox.answer({ name: 'read_note', args: { title } });
  const gateway = await openGateway({
    servers: { notes },
    rules: [
      {
        tool: 'write_note',
        approval: { ask: 'Write the note?', grants: false },
        arguments: { title: 'diary' },
        async preview({ title, text }) {
          const before = await read(title);
          return { before: before.status === 'ok' ? before.data : null, after: text };
        },
      },
    ],
    store: memoryStore(),
  });
  const { approvals } = gateway.toolbox;
  const ask = async (text: string): Promise<string> => {
    const asked = await gateway.toolbox.answer(write({ text }));
    return asked.status === 'pending' ? asked.pending.handle : '';
  };
  const [first, second] = [await ask('one'), await ask('two')];
  expect(await approvals?.get(first)).toMatchObject({ preview: { before: null, after: 'one' }, grants: false });
  for (const handle of [first, second]) await approvals?.decide(handle, 'approve');
  expect(await gateway.toolbox.answer(write({ text: 'one' }))).toMatchObject({ status: 'ok' });
  expect(await gateway.toolbox.answer(write({ text: 'two' }))).toMatchObject({ error: { code: 'plan_changed' } });
  expect((await approvals?.list())?.[0]).toMatchObject({ preview: { before: 'one', after: 'two' } });
});

test('equal calls are one call, by the arguments that the rule names', async () => {
  const { toolbox } = await openGateway({
    servers: { notes },
    rules: [{ tool: 'write_note', idempotency: { key: ['title'] } }],
    store: memoryStore(),
  });
  expect(await toolbox.answer(write({ title: 'a', text: '1' }))).toMatchObject({ status: 'ok' });
  expect(await toolbox.answer(write({ title: 'a', text: '1' }))).toMatchObject({ status: 'ok', meta: { replayed: true } });
  expect(await toolbox.answer(write({ title: 'b', text: '1' }))).not.toMatchObject({ meta: { replayed: true } });
});

test('a tool is hidden, renamed, described anew, and gets arguments that the model does not see', async () => {
  const { toolbox } = await openGateway({
    servers: { notes },
    rules: [
      { tool: 'count_*', hide: true },
      { tool: 'read_note', rename: 'read_diary', description: 'Reads the diary.', arguments: { title: 'diary' } },
      { tool: 'write_note', arguments: { title: 'diary' } },
    ],
  });
  expect(
    toolbox
      .list()
      .map(({ name, description, inputSchema }) => ({ name, description, fields: Object.keys(Object(inputSchema.properties)) })),
  ).toEqual([
    { name: 'read_diary', description: 'Reads the diary.', fields: [] },
    { name: 'write_note', description: 'Writes a note.', fields: ['text'] },
  ]);
  await toolbox.answer(write({ text: 'Dear diary' }));
  expect(await toolbox.answer({ name: 'read_diary', args: {} })).toMatchObject({ status: 'ok', data: 'Dear diary' });
  expect(await toolbox.answer({ name: 'count_notes', args: {} })).toMatchObject({ error: { kind: 'unknown_tool' } });
});

test('limits hold for each tool of the pattern', async () => {
  const { toolbox } = await openGateway({ servers: { notes }, rules: [{ tool: 'count_*', limits: { perMinute: 1, atOnce: 1 } }] });
  const count = () => toolbox.answer({ name: 'count_notes', args: {} });
  expect(await count()).toMatchObject({ status: 'ok' });
  expect(await count()).toMatchObject({ error: { kind: 'rate_limited', effect: 'none' } });
});

describe('hints', () => {
  const effects = async (rules: readonly GatewayRule[]) => {
    const { toolbox } = await openGateway({ servers: { notes }, rules });
    return Object.fromEntries(toolbox.list().map((tool) => [tool.name, tool.effects]));
  };

  test('are not trusted: a tool that says that it only reads counts as writing', async () => {
    expect(await effects([])).toEqual({ read_note: 'writes', write_note: 'writes', count_notes: 'writes' });
  });

  test('are trusted where a rule says so; what a rule says itself outweighs them', async () => {
    expect(await effects([{ trustHints: true }, { tool: 'count_notes', effects: 'idempotent' }])).toEqual({
      read_note: 'none',
      write_note: 'writes',
      count_notes: 'idempotent',
    });
  });
});

describe('rules that cannot be kept are refused before anything is started', () => {
  test.each<[string, unknown, string]>([
    ['an unknown option', { aproval: true }, 'rules[0]: the option "aproval" does not exist. Did you mean "approval"?'],
    ['a server that is not there', { server: 'nots' }, 'rules[0].server is "nots", but the servers are notes'],
    [
      'one name for many tools',
      { tool: 'a_*', rename: 'b' },
      'rules[0].rename gives one name, so its tool must be one, too: "a_*" has a *',
    ],
    ['a preview that is no function', { preview: 'diff' }, 'rules[0]: preview must be a function'],
    ['rules about grants that are not known', { approval: { grant: false } }, 'Did you mean "grants"?'],
    ['unknown effects', { effects: 'reads' }, 'rules[0]: effects must be "none", "idempotent" or "writes"'],
    ['no object', 'approval', "rules[0] must be an object, such as { tool: 'delete_*', approval: true }"],
  ])('%s', async (_, rule, message) => {
    await expect(createGateway({ servers: { notes: { command: 'no-such-program' } }, rules: [rule as GatewayRule] })).rejects.toThrow(
      message,
    );
  });

  test('an approval without a store', async () => {
    await expect(createGateway({ servers: { notes }, rules: [{ approval: true }] })).rejects.toThrow('declares approval');
  });
});
