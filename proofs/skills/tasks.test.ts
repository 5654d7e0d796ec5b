import { execFile } from 'node:child_process';
import { cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type Installed, installPackages } from '../docs/fresh-folder.ts';

// Ten small tasks, done with nothing but the skill at hand (packages/toolpact/skills/toolpact). Each folder holds what was written, as it was
// written: what stops to compile, to run or to pass the check here is no longer what the skill teaches.
const tasks = fileURLToPath(new URL('tasks', import.meta.url));

/** The output of each task's program. */
const prints: Readonly<Record<string, string>> = {
  'wrap-an-api': `
[error: not_configured] Set TRACKER_URL and TRACKER_TOKEN.
Next: An operator has to fix it.
[error: unauthenticated] The token is wrong. (HTTP 401)
Next: The credential must be renewed before this can work.
[error: not_found] There is no such issue. (HTTP 404)
Next: Check the name or id before trying again.
{"id":2,"title":"No tea"}
{"issues":[{"id":1,"title":"The door squeaks"},{"id":2,"title":"No tea"}]}`,
  'pay-once': `
ok ok true
ok ok
[error: conflict/key_reused] This key was used before with other arguments: "amount" differs.
true A-1 true, A-2 true`,
  'book-a-trip': `
[error: unreachable] The car desk does not answer.
Next: Part of it has taken effect, and is not done twice if the same call is made again. Try again in a moment.
ok
flight T-1, hotel T-1, car T-1
[error: conflict/hotel_full] No hotel is free. The flight was cancelled.
Next: It has taken effect; check before repeating it.
error
flight T-2, flight T-2 cancelled`,
  'ask-above-100': `
ok
[pending: approval] refund is waiting for approval and has not run. Refund 200 euros for O-2? Tell the user; make the same call again once it is approved.
ok
403
200
ok`,
  'give-to-ai-sdk': `
There is no article "lamps". Articles: lamp.
ok
There are 3.`,
  'find-a-failure': `
price  internal, effect none  … ms  article: chair  "Cannot read properties of undefined (reading 'net')"
cause: TypeError: Cannot read properties of undefined (reading 'net')
broken.ts:16
{"gross":24}
[error: not_found] The article "chair" has no price yet.
[error: not_found] There is no article "sofa". Articles: lamp, chair.`,
  reconcile: `
unknown
{"id":"T-loses the answer"} sent 1 times
unknown
{"id":"T-loses the transfer"} sent 2 times`,
  'serve-with-a-key': `
401 unauthenticated
200 Hello, Ann!
[{"type":"text","text":"Hello, Bob!"}]`,
};

let installed: Installed;
/** The tasks, in a folder of somebody who installed the packages. */
let folder: string;
beforeAll(() => {
  installed = installPackages();
  folder = installed.folder();
  cpSync(tasks, folder, { recursive: true });
});
afterAll(() => installed.remove());

test('there are ten tasks, and each has its test', () => {
  const elsewhere = ['put-rules-in-front', 'test-a-tool'];
  expect(readdirSync(tasks).sort()).toEqual([...Object.keys(prints), ...elsewhere].sort());
  expect(readdirSync(tasks)).toHaveLength(10);
});

test.each(Object.entries(prints))('%s: the program prints what it should', async (task, expected) => {
  const printed: string[] = [];
  vi.spyOn(console, 'log').mockImplementation((...words: unknown[]) => void printed.push(words.join(' ')));
  onTestFinished(() => void vi.restoreAllMocks());
  await import(`./tasks/${task}/program.ts`);
  expect(printed.join('\n')).toBe(expected.trim());
});

test('all programs compile', async () => {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    erasableSyntaxOnly: true,
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*/*.ts'] }));
  await runNode('typescript/bin/tsc', '-p', '.');
});

test('all tools pass `toolpact check`, which finds what was broken in the one that was given', { timeout: 60_000 }, async () => {
  const files = readdirSync(tasks).flatMap((task) => (readdirSync(join(tasks, task)).includes('tools.ts') ? [`${task}/tools.ts`] : []));
  const { tools } = JSON.parse(await runNode('toolpact/bin/toolpact.js', 'check', '--json', ...files)) as {
    tools: readonly { tool: string; followsContract: boolean }[];
  };
  expect(tools.length).toBeGreaterThanOrEqual(files.length);
  expect(tools.filter(({ followsContract }) => !followsContract).map(({ tool }) => tool)).toEqual([]);
  await expect(runNode('toolpact/bin/toolpact.js', 'check', 'find-a-failure/broken.ts')).rejects.toThrow(/tools\/no-bugs/);
});

test('the test that was written for a tool passes', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--test', 'test-a-tool/tools-test.ts'], { cwd: folder });
  expect(stdout).toMatch(/pass 4\n[\s\S]*fail 0\n/);
});

test('a foreign server obeys the rules that were put in front of it', { timeout: 60_000 }, async () => {
  const cwd = join(folder, 'put-rules-in-front');
  const bin = join(folder, 'node_modules/toolpact/bin/toolpact.js');
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [bin, 'wrap', '--config', 'gateway.yaml'], cwd, stderr: 'ignore' }),
  );
  const call = async (name: string): Promise<string> => {
    const { content } = await client.callTool({ name, arguments: { path: 'a.txt' } });
    return (content as readonly { readonly text?: string }[])[0]?.text ?? '';
  };
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).not.toContain('format_disk');
  expect(await call('read_file')).toBe('Apples');
  const asked = await call('delete_file');
  expect(asked).toContain('delete_file is waiting for approval and has not run. Delete a.txt?');
  const [, handle = ''] = /\(handle: (\S+)\)/.exec(asked) ?? [];
  await promisify(execFile)(process.execPath, [bin, 'approvals', 'approve', handle], { cwd });
  expect(await call('delete_file')).toBe('delete_file done');
});

/** Runs a program of the installed packages; rejects with all that it printed where it fails. */
async function runNode(program: string, ...words: readonly string[]): Promise<string> {
  const ran = promisify(execFile)(process.execPath, ['--no-warnings', `node_modules/${program}`, ...words], { cwd: folder });
  const { stdout } = await ran.catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${program} ${words.join(' ')} failed: ${error.stdout}${error.stderr}`);
  });
  return stdout;
}
