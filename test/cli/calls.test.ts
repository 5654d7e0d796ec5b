import { expect, test } from 'vitest';
import { folderWith, run, start, toolpact } from './run-toolpact.ts';

const tools = `
import { defineTool, fail } from '${toolpact}';
const input = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
const jsonSchema = { input: { type: 'object' } };
export const echo = defineTool({ name: 'echo', description: 'Echoes.', input, jsonSchema, effects: 'none', run: (given) => given });
export const lose = defineTool({ name: 'lose', description: 'Fails.', input, jsonSchema, effects: 'none', run: () => fail('not_found', 'Nothing is there.') });
export const erase = defineTool({ name: 'erase', description: 'Erases.', input, jsonSchema, approval: true, run: () => 'erased' });
`;

test('recorded calls are listed, shown and made again', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  await run(['call', 'echo', '{"word":"Kyoto"}'], { cwd });
  await run(['call', 'lose', '{}'], { cwd });
  const listed = await run(['calls'], { cwd });
  expect([listed.code, listed.stdout.trimEnd().split('\n').length]).toEqual([0, 2]);
  expect(listed.stdout).toMatch(/lose +not_found .*Nothing is there\.\n.*echo +ok/);
  const found = JSON.parse((await run(['calls', '--tool', 'echo', '--since', '1h', '--json'], { cwd })).stdout);
  expect(found.calls).toMatchObject([{ tool: 'echo', status: 'ok' }]);
  const [{ id }] = found.calls;
  const shown = await run(['calls', id], { cwd });
  expect(shown.stdout).toContain('what the model reads');
  expect(shown.stdout).toContain('Kyoto');
  const again = await run(['call', '--again', id], { cwd });
  expect([again.code, JSON.parse(again.stdout)]).toEqual([0, { word: 'Kyoto' }]);
  expect((await run(['calls', '--kind', 'timeout'], { cwd })).stderr).toBe('No calls are recorded that fit.\n');
});

test('a call that waits for an approval is listed, approved, and then runs', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  expect((await run(['call', 'erase', '{}'], { cwd })).code).toBe(20);
  const waiting = JSON.parse((await run(['approvals', 'list', '--json'], { cwd })).stdout);
  expect(waiting).toMatchObject([{ tool: 'erase', state: 'waiting' }]);
  const [{ handle }] = waiting;
  expect((await run(['wait', handle, '--seconds', '0'], { cwd })).code).toBe(20);
  expect((await run(['approvals'], { cwd })).stderr).toContain('toolpact approvals approve <handle> lets a call run');
  expect((await run(['approvals', 'approve', handle], { cwd })).stderr).toContain('Approved.');
  expect((await run(['approvals', 'deny', handle], { cwd })).stderr).toContain('it is decided already');
  expect(await run(['call', 'erase', '{}'], { cwd })).toMatchObject({ code: 0, stdout: 'erased\n' });
  expect(await run(['wait', handle, '--seconds', '0'], { cwd })).toMatchObject({ code: 0, stdout: 'erased\n' });
});

test('calls are followed as they are made', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  await run(['call', 'echo', '{}'], { cwd });
  const following = start(['calls', '--follow', '--since', '1d', '--json'], { cwd });
  await following.until(/"tool":"echo"/, 'stdout');
  await run(['call', 'lose', '{}'], { cwd });
  await following.until(/"tool":"lose".*"kind":"not_found"/, 'stdout');
  following.child.kill('SIGINT');
  expect((await following.ended).code).toBe(0);
});

test.each([
  [['calls', '--kind', 'great'], '--kind must be a kind of failure'],
  [['calls', '--since', 'yesterday'], '--since must be a time or a span'],
  [['calls', '--limit', '0'], '--limit must be a whole number'],
  [['approvals', 'forget'], 'toolpact approvals takes list, approve or deny'],
  [['approvals', 'approve'], 'toolpact approvals approve needs the handle'],
  [['call'], 'toolpact call needs <tool>.'],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await run(words);
  expect([code, stderr.includes(message)]).toEqual([2, true]);
});
