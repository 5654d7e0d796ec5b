import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const guards = new URL('./contain-strays.ts', import.meta.url).href;
const runtime = new URL('../index.ts', import.meta.url).href;

/** Runs a program in a process of its own, because what is tested is whether it survives: it says so when nothing is left to do. */
function run(program: string, ...words: string[]): Promise<{ readonly code: number; readonly text: string }> {
  const source = `
    import { containStrays, runContained } from ${JSON.stringify(guards)};
    import { createToolbox, defineTool } from ${JSON.stringify(runtime)};
    const tool = (run) => defineTool({ name: 'leaky', description: 'Leaks.', effects: 'none', run });
    const box = (run, use = []) => createToolbox([tool(run)], { use, report: () => undefined });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    process.once('beforeExit', () => console.log('alive'));
    ${program}
  `;
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', ...words, '--input-type=module-typescript', '-e', source],
      { cwd: fileURLToPath(new URL('.', import.meta.url)) },
      (error, out, err) => resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: `${out}${err}` }),
    );
  });
}

const served = (handler: string) =>
  `console.log(JSON.stringify(await runContained('leaky', () => box(${handler}).answer({ name: 'leaky' }))));`;

test.each([
  [
    'a forgotten promise',
    `async () => { void Promise.reject(new Error('forgotten')); return 'fine'; }`,
    /"status":"ok".*leaky left a rejected promise behind/s,
  ],
  [
    'two rejected promises in a result',
    `() => ({ a: Promise.reject(new Error('one')), b: Promise.reject(new Error('two')) })`,
    /"invalid_output"/,
  ],
  ['a thrown rejected promise', `() => { throw Promise.reject(new Error('thrown')); }`, /"status":"error"/],
])('a call that leaves %s behind does not end the process', async (_, handler, said) => {
  const { code, text } = await run(served(handler));
  expect(text).toMatch(said);
  expect(text).toContain('alive');
  expect(code).toBe(0);
});

test.each([
  ['throws', `() => { throw new Error('broken listener'); }`],
  ['rejects', `async () => { throw new Error('broken listener'); }`],
])('an onStray that %s is printed', async (_, onStray) => {
  const guard = `const guard = containStrays({ onStray: ${onStray} });`;
  const { text } = await run(
    `${guard} await box(async () => { void Promise.reject(new Error('x')); return 1; }, [guard]).answer({ name: 'leaky' });`,
  );
  expect(text).toMatch(/onStray failed.*broken listener/s);
  expect(text).toContain('alive');
});

test("the application's own rejections end the process as before", async () => {
  const { code, text } = await run(`${served(`() => 'fine'`)} void Promise.reject(new Error('own mistake'));`);
  expect(text).toContain('own mistake');
  expect(text).not.toContain('alive');
  expect(code).not.toBe(0);
});

test('a call contains what it leaves behind, and a later rejection of the flow that made it ends the process', async () => {
  const flow = `const answer = async () => {
    await undefined;
    return runContained('leaky', () => box(async () => { void Promise.reject(new Error('forgotten')); return 1; }).answer({ name: 'leaky' }), (stray) => console.log('stray of', stray.tool));
  };
  await answer();
  await turn();
  console.log('still here');`;
  const { code, text } = await run(`${flow} void Promise.reject(new Error('own mistake'));`);
  expect(text).toMatch(/stray of leaky.*still here.*own mistake/s);
  expect(text).not.toContain('alive');
  expect(code).not.toBe(0);
});

test.each([
  ['that its own listener takes', `process.on('unhandledRejection', () => undefined);`, []],
  ['where Node is told to only warn', '', ['--unhandled-rejections=warn']],
])("the application's own rejections do not end the process %s", async (_, before, words) => {
  const { text } = await run(`${before} ${served(`() => 'fine'`)} void Promise.reject(new Error('own'));`, ...words);
  expect(text).toContain('alive');
});

test('exceptions thrown in timers of a tool are not contained', async () => {
  const { code, text } = await run(served(`() => { setTimeout(() => { throw new Error('timer'); }, 1); return 'fine'; }`));
  expect(text).not.toContain('alive');
  expect(code).not.toBe(0);
});

const pool = `
  import { AsyncResource } from 'node:async_hooks';
  const jobs = [];
  let wake;
  const work = async () => {
    for (;;) {
      while (jobs.length > 0) void jobs.shift()();
      await new Promise((resolve) => { wake = resolve; });
    }
  };
  void work();
  const queue = (job) => { jobs.push(job); wake(); };
  const job = async () => { throw new Error('a job'); };
`;

test('a job that a tool queues in a pool of the application is contained if it is bound to the call', async () => {
  const { code, text } = await run(`${pool} ${served(`() => { queue(AsyncResource.bind(job)); return 'fine'; }`)}`);
  expect(text).toMatch(/"status":"ok".*leaky left a rejected promise behind. a job/s);
  expect(text).toContain('alive');
  expect(code).toBe(0);
});

test('a job that is not bound belongs to the pool, as one that the application queues', async () => {
  const { code, text } = await run(`${pool} ${served(`() => { queue(job); return 'fine'; }`)}`);
  expect(text).not.toContain('alive');
  expect(code).not.toBe(0);
});
