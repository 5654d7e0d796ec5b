import { expect, test } from 'vitest';
import { builtEntry } from './load-sources.ts';
import { folderWith, post, run, start, toolpact } from './run-toolpact.ts';
import { startProcess } from './start-process.ts';

const tools = `
import { defineTool, fail } from '${toolpact}';
const input = { '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value }) } };
const jsonSchema = { input: { type: 'object' } };
export const echo = defineTool({ name: 'echo', description: 'Echoes.', input, jsonSchema, effects: 'none', run: (given) => given });
export const lose = defineTool({ name: 'lose', description: 'Fails.', input, jsonSchema, effects: 'none', run: () => fail('not_found', 'Nothing is there.') });
export const sleepy = defineTool({ name: 'sleepy', description: 'Sleeps.', input, jsonSchema, steps: true, timeoutMs: 3600000, run: async (_, ctx) => { await ctx.sleep(3600000); return 'awake'; } });
export const hang = defineTool({ name: 'hang', description: 'Hangs.', input, jsonSchema, effects: 'none', timeoutMs: 600000, run: (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason))) });
export const ask = defineTool({ name: 'ask', description: 'Asks.', input, jsonSchema, steps: true, run: async (_, { waitFor }) => 'on ' + (await waitFor('day', input, { message: 'Which day?' })).day });
export const erase = defineTool({ name: 'erase', description: 'Erases.', input, jsonSchema, approval: true, run: () => 'erased' });
export const refund = defineTool({ name: 'refund', description: 'Refunds.', input, jsonSchema, approval: { by: ['finance'], onExpiry: 'deny' }, run: ({ amount }) => 'refunded ' + amount });
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
  expect((await run(['calls', '--kind', 'timeout'], { cwd })).stderr).toBe('No matching calls.\n');
});

test('a call that waits for an approval is listed, approved, and then runs', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  expect((await run(['call', 'erase', '{}'], { cwd })).code).toBe(20);
  const waiting = JSON.parse((await run(['approvals', 'list', '--json'], { cwd })).stdout);
  expect(waiting).toMatchObject([{ tool: 'erase', state: 'waiting' }]);
  const [{ handle }] = waiting;
  const undecided = await run(['wait', handle, '--seconds', '0'], { cwd });
  expect([undecided.code, undecided.stderr]).toEqual([20, expect.stringContaining('To decide about it: toolpact approvals approve')]);
  expect((await run(['approvals'], { cwd })).stderr).toContain('toolpact approvals approve <handle> lets a call run');
  expect((await run(['approvals', 'approve', handle], { cwd })).stderr).toContain('Approved.');
  expect((await run(['approvals', 'deny', handle], { cwd })).stderr).toContain('it is decided already');
  const decided = await run(['wait', handle, '--seconds', '0'], { cwd });
  expect([decided.code, decided.stderr]).toEqual([20, expect.stringContaining('is approved and has not run. Make the same call again')]);
  expect(decided.stderr).not.toContain('To decide about it');
  expect(await run(['call', 'erase', '{}'], { cwd })).toMatchObject({ code: 0, stdout: 'erased\n' });
  expect(await run(['wait', handle, '--seconds', '0'], { cwd })).toMatchObject({ code: 0, stdout: 'erased\n' });
  const shown = (await run(['calls', handle], { cwd })).stdout;
  expect(shown).toMatch(/asked people\n.*approved by command line, asked 20\S+, decided 20/);
  expect(shown).not.toContain('[object');
});

test('who may decide is shown, and one who may can change the arguments', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  await run(['call', 'refund', '{"amount":80}'], { cwd });
  const listed = await run(['approvals'], { cwd });
  expect(listed.stdout).toMatch(/refund +0 s ago\n.*Allow refund\?\n.*"amount":80.*\n +only finance may decide · 60 min left, then denied/);
  const [{ handle }] = JSON.parse((await run(['approvals', '--json'], { cwd })).stdout);
  expect((await run(['approvals', 'approve', handle], { cwd })).stderr).toContain('Only finance may decide about refund.');
  const asFinance = ['approvals', 'approve', handle, '--by', 'ann', '--role', 'finance'];
  expect((await run([...asFinance, '--input', '40'], { cwd })).stderr).toContain('--input must be a JSON object');
  expect((await run([...asFinance, '--input', '{"amount":40}'], { cwd })).stderr).toContain('does not have the tool refund');
  expect((await run([...asFinance, '--input', '{"amount":40}', '--tools', 'tools.mjs'], { cwd })).stderr).toContain('Approved.');
  expect((await run(['call', 'refund', '{"amount":80}'], { cwd })).stdout).toBe('refunded 40\n');
});

test('calls that wait are decided at the keyboard, one by one, changed, or all that look alike', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  const ask = (amount: number, more = {}) => run(['call', 'refund', JSON.stringify({ amount, ...more })], { cwd });
  for (const amount of [1, 2, 3, 4, 5]) await ask(amount);
  await ask(6, { to: 'A-1' });
  await ask(7, { to: 'A-1' });
  const input = ['x', 'y', 'n', 'too much', 's', 'e', 'amount=40', 'to=A-9', '', 'y', 'a', 'y', 'q'].map((line) => `${line}\n`).join('');
  const flags = ['--by', 'ann', '--role', 'finance', '--tools', 'tools.mjs'];
  const said = await run(['approvals', 'decide', ...flags], { cwd, input });
  expect(said.code).toBe(0);
  expect(said.stdout).toMatch(/ {2}- amount: 4\n {2}\+ amount: 40\n {2}\+ to: "A-9"\n/);
  // The one that was skipped looks alike too.
  expect(said.stderr).toContain('All 2: [y]es, [n]o, [s]kip?');
  expect(said.stderr.match(/Approved: |Denied: /g)).toEqual(['Approved: ', 'Denied: ', 'Approved: ', 'Approved: ', 'Approved: ']);
  expect((await ask(1)).stdout).toBe('refunded 1\n');
  expect((await ask(2)).stderr).toContain('too much');
  expect((await ask(4)).stdout).toBe('refunded 40\n');
  expect((await ask(3)).stdout).toBe('refunded 3\n');
  const waiting = JSON.parse((await run(['approvals', '--json'], { cwd })).stdout);
  expect(waiting.map((one: { readonly input: { readonly amount: number } }) => one.input.amount)).toEqual([6, 7]);
  const both = await run(['approvals', 'approve', '--like', waiting[0].handle, '--role', 'finance'], { cwd });
  expect([both.code, both.stderr.match(/Approved\./g)?.length]).toEqual([0, 2]);
  const again = await run(['approvals', 'deny', waiting[0].handle, waiting[1].handle, '--role', 'finance'], { cwd });
  expect([again.code, again.stderr.match(/it is decided already/g)?.length]).toEqual([1, 2]);
  expect((await run(['approvals', 'decide'], { cwd, input: '' })).stderr).toContain('No calls are waiting for approval.\n');
});

test('where nothing is found, the store is named that was looked into', async () => {
  const own = `
import { createToolbox, defineTool } from '${toolpact}';
import { sqliteStore } from '${builtEntry('toolpact/stores/sqlite')}';
const any = { '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) } };
const pay = defineTool({ name: 'pay', description: 'Pays.', input: any, jsonSchema: { input: { type: 'object' } }, approval: true, run: () => 'paid' });
export const toolbox = createToolbox([pay], { store: sqliteStore({ path: new URL('shop.db', import.meta.url).pathname }) });
`;
  const cwd = folderWith({ 'shop.mjs': own });
  expect((await run(['call', 'pay', '{}', '--tools', 'shop.mjs'], { cwd })).code).toBe(20);
  const where = 'Looked in the store .toolpact/toolpact.db. For another one, use --store, or --tools with the file of your toolbox.';
  for (const words of [['approvals'], ['approvals', 'approve', 'x'], ['calls'], ['calls', 'x'], ['wait', 'x'], ['cancel', 'x']])
    expect((await run(words, { cwd })).stderr, words.join(' ')).toContain(where);
  expect((await run(['approvals', '--tools', 'shop.mjs'], { cwd })).stdout).toContain('pay');
  expect((await run(['approvals', '--store', 'shop.db'], { cwd })).stderr).not.toContain('Looked in the store');
  expect((await run(['approvals', '--json'], { cwd })).stdout).toBe('[]\n');
});

test('a standing grant is given, listed and revoked', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  const server = start(['serve', '--port', '0'], { cwd });
  const [, url = ''] = await server.until(/(http:\/\/127\.0\.0\.1:\d+)/, 'stderr');
  const call = (amount: number) => post(url, 'refund', { amount, to: 'A-1' }, { 'x-run-id': 'r-1' });
  await call(80);
  const [{ handle }] = JSON.parse((await run(['approvals', '--json'], { cwd })).stdout);
  const given = await run(
    [
      'approvals',
      'approve',
      handle,
      '--by',
      'ann',
      '--role',
      'finance',
      '--grant',
      'run',
      '--let',
      'amount=..100',
      '--for',
      '2h',
      '--uses',
      '3',
    ],
    { cwd },
  );
  expect(given.stderr).toMatch(
    /Approved.*\ngrant_.*\n {2}refund with amount up to 100, to "A-1", in the run r-1\n {2}given by ann · used 0 of 3 times · 2 h left/,
  );
  for (const amount of [80, 100]) expect((await call(amount)).status).toBe(200);
  expect((await call(101)).status).toBe(202);
  const [grant] = JSON.parse((await run(['approvals', 'grants', '--json'], { cwd })).stdout);
  expect(grant).toMatchObject({ uses: 1, state: 'active' });
  expect((await run(['approvals', 'revoke', grant.id], { cwd })).stderr).toContain('in the run r-1: revoked.');
  expect((await run(['approvals', 'grants'], { cwd })).stderr).toBe('There are no standing grants.\n');
  expect((await run(['approvals', 'grants', '--all'], { cwd })).stdout).toContain('used 1 of 3 times · revoked');
  expect((await call(100)).status).toBe(202);
  expect((await run(['approvals', 'revoke', 'none'], { cwd })).stderr).toContain('There is no grant none.');
  server.kill('SIGTERM');
  await server.ended;
});

test('calls are followed as they are made', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  await run(['call', 'echo', '{}'], { cwd });
  const following = start(['calls', '--follow', '--since', '1d', '--json'], { cwd });
  await following.until(/"tool":"echo"/, 'stdout');
  await run(['call', 'lose', '{}'], { cwd });
  await following.until(/"tool":"lose".*"kind":"not_found"/, 'stdout');
  following.kill('SIGINT');
  expect((await following.ended).code).toBe(0);
});

test('calls are listed by several values of a flag', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  await run(['call', 'echo', '{}'], { cwd });
  await run(['call', 'lose', '{}'], { cwd });
  await run(['call', 'erase', '{}'], { cwd });
  const toolsOf = async (...flags: string[]) =>
    JSON.parse((await run(['calls', '--json', ...flags], { cwd })).stdout).calls.map(({ tool }: { readonly tool: string }) => tool);
  expect(await toolsOf('--tool', 'lose', '--tool', 'echo')).toEqual(['lose', 'echo']);
  expect(await toolsOf('--status', 'pending', '--status', 'ok')).toEqual(['erase', 'echo']);
  expect(await toolsOf('--kind', 'timeout', '--kind', 'not_found')).toEqual(['lose']);
});

test('a call is cancelled from another process, whether it runs, sleeps or waits for an approval', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  const running = startProcess(['call', 'hang', '{}'], { cwd });
  const sleeping = start(['call', 'sleepy', '{}'], { cwd });
  const idOf = async (tool: string): Promise<string | undefined> =>
    JSON.parse((await run(['calls', '--json', '--tool', tool], { cwd })).stdout).calls[0]?.id;
  await run(['call', 'erase', '{}'], { cwd });
  for (const tool of ['hang', 'sleepy']) await expect.poll(() => idOf(tool), { timeout: 40_000 }).toEqual(expect.any(String));
  for (const tool of ['hang', 'erase', 'sleepy']) {
    const id = (await idOf(tool)) ?? '';
    expect(await run(['cancel', id], { cwd })).toMatchObject({ code: 0, stderr: 'Cancelled. Nothing was changed.\n' });
    const again = await run(['cancel', id], { cwd });
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining(`There is nothing to stop in the call ${id}, which is cancelled.`),
    ]);
  }
  expect([(await running.ended).code, (await sleeping.ended).code]).toEqual([16, 16]);
  const unknown = await run(['cancel', 'nothing'], { cwd });
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('There is no recorded call nothing.')]);
});

test('a call that asks is settled here and through a server, and a call is cancelled through one', async () => {
  const cwd = folderWith({ 'tools.mjs': tools });
  const handleOf = ({ stdout }: { readonly stdout: string }): string => JSON.parse(stdout).pending.handle;
  const asked = handleOf(await run(['call', 'ask', '{}', '--json'], { cwd }));
  expect((await run(['settle', asked, '{'], { cwd })).stderr).toContain('The result must be JSON');
  const server = start(['serve', '--port', '0'], { cwd });
  const [, url = ''] = await server.until(/(http:\/\/127\.0\.0\.1:\d+)/, 'stderr');
  // The server goes on with the call of a process that has ended.
  const settled = await run(['settle', asked, '-'], { cwd, input: '{"day":"Monday"}' });
  expect([0, 20]).toContain(settled.code);
  expect(await run(['wait', asked], { cwd })).toMatchObject({ code: 0, stdout: 'on Monday\n' });

  const second = handleOf(await run(['call', 'ask', '{}', '--json', '--url', url], { cwd }));
  expect(await run(['settle', second, '{"day":"Friday"}', '--url', url], { cwd })).toMatchObject({ code: 0, stdout: 'on Friday\n' });
  const third = handleOf(await run(['call', 'ask', '{}', '--json', '--url', url], { cwd }));
  const failed = await run(['settle', third, '--fail', 'No day is free.', '--kind', 'not_found', '--url', url], { cwd });
  expect([failed.code, failed.stderr]).toEqual([10, expect.stringContaining('No day is free.')]);

  const fourth = await run(['call', 'ask', '{}', '--json', '--url', url], { cwd });
  const { invocationId } = JSON.parse(fourth.stdout).meta;
  const cancelled = await run(['cancel', invocationId, '--url', url, '--json'], { cwd });
  expect([cancelled.code, JSON.parse(cancelled.stdout)]).toMatchObject([0, { id: invocationId, kind: 'cancelled', effect: 'none' }]);
  expect((await run(['settle', handleOf(fourth), '{"day":"Sunday"}', '--url', url], { cwd })).code).toBe(16);
  server.kill('SIGTERM');
  await server.ended;
});

test.each([
  [['calls', '--kind', 'timeot'], '--kind must be a kind of failure, not "timeot". Did you mean timeout?'],
  [['calls', '--status', 'ok', '--status', 'runing'], '--status must be one of running, ok, partial, error, pending, not "runing".'],
  [['cancel'], 'toolpact cancel needs <id>.'],
  [['settle', 'call_1'], 'toolpact settle needs a result, or --fail.'],
  [['settle', 'call_1', '1', '--fail', 'no'], 'Give a result or --fail, not both.'],
  [['settle', 'call_1', '1', '--kind', 'denied'], '--kind needs --fail.'],
  [['settle', 'call_1', '--fail', 'no', '--kind', 'great'], '--kind must be a kind of failure, not "great".'],
  [['calls', '--since', 'yesterday'], '--since must be a time or a span'],
  [['calls', '--limit', '0'], '--limit must be a whole number'],
  [
    ['approvals', 'aprove', 'x'],
    'toolpact approvals takes list, decide, approve, deny, grants or revoke, not aprove. Did you mean approve?',
  ],
  [['approvals', 'forget'], 'toolpact approvals takes list, decide, approve, deny, grants or revoke'],
  [['approvals', 'approve'], 'toolpact approvals approve needs the handle'],
  [['approvals', 'approve', 'x', 'y', '--input', '{}'], '--input and --grant are for one call.'],
  [['approvals', 'approve', 'x', '--like', 'y'], 'Name handles, or choose with --run, --session and --like'],
  [['approvals', 'revoke'], 'toolpact approvals revoke needs the id of a grant.'],
  [['approvals', 'approve', 'x', '--grant', 'ever'], '--grant must be run, session or user, not ever.'],
  [['approvals', 'approve', 'x', '--let', 'a=*'], '--let, --for and --uses go with --grant.'],
  [['approvals', 'approve', 'x', '--grant', 'run', '--let', 'a'], '--let must be <argument>=<rule>, not a.'],
  [['approvals', 'approve', 'x', '--grant', 'run', '--for', 'ever'], '--for must be a span of time'],
  [['approvals', 'deny', 'x', '--grant', 'run'], '--grant and --input go with approve.'],
  [['call'], 'toolpact call needs <tool>.'],
])('%j is refused', async (words, message) => {
  const { code, stderr } = await run(words);
  expect([code, stderr.includes(message)]).toEqual([2, true]);
});
