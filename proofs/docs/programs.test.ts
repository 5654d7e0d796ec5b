import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { type RequestOptions, request } from 'node:http';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pathOf } from '../house/own-packages.ts';
import { assumed, comparedPages } from './assumed.ts';
import { readDockerfile, readManifests, readUnit, readWorkflow } from './deployment.ts';
import { type Installed, installPackages } from './fresh-folder.ts';
import { type Block, blocksOf } from './programs.ts';

const skill = 'packages/toolpact/skills/toolpact';
/** Every block of these pages is pasted into a folder of its own and run there. Blocks see the files that the page wrote before. */
const pages = [
  'README.md',
  'docs/getting-started.md',
  'docs/ai-sdk.md',
  'docs/serving.md',
  'docs/testing.md',
  'docs/approvals.md',
  'docs/approval-app.md',
  'docs/slack.md',
  'docs/inspector.md',
  'docs/security.md',
  ...readdirSync(pathOf(skill)).map((page) => `${skill}/${page}`),
  ...['flat', 'error-type', 'coded', 'value', 'status'].map((origin) => `packages/origins/src/${origin}/README.md`),
];
/** Made of examples that are run elsewhere. */
const written = 'docs/frameworks.md';
/** Lines that the test has done already, or that are for the repository itself. */
const done = /^npm (install|init)\b/;
/** Commands that run until they are stopped. */
const lasting = /npx toolpact (dev|serve)\b/;

let installed: Installed;
beforeAll(() => {
  installed = installPackages();
});
afterAll(() => installed.remove());

test.each(pages.flatMap((page) => blocksOf(page).map((block, index) => [page, index + 1, block] as const)))(
  '%s, block %i runs as pasted',
  async (page, index, block) => {
    const folder = installed.folder();
    for (const before of blocksOf(page).slice(0, index - 1)) write(before, folder);
    // Tests are run by the command that stands after them.
    if (block.text.includes("from 'vitest'")) return;
    const output = block.language === 'ts' ? await runProgram(block, folder) : await runCommands(block, folder);
    expect(block.prints.filter((line) => !isPrinted(line, output))).toEqual([]);
  },
);

test('every program compiles as a reader would write it', () => {
  const folder = installed.folder();
  for (const page of [...pages, written]) {
    const name = page.replace(/\W/g, '-');
    for (const [index, block] of blocksOf(page).entries())
      if (block.language === 'ts') write({ ...block, file: block.file ?? `program-${index}.ts` }, join(folder, name));
  }
  expect(complaintsOf(folder)).toBe('');
});

test('every part of a program compiles beside what its page takes for granted', () => {
  const folder = installed.folder();
  for (const [file, text] of Object.entries(assumed)) writeFileSync(join(folder, file), text);
  for (const page of comparedPages) {
    const parts = blocksOf(page).filter(({ language }) => language === 'ts');
    expect([page, parts.length > 0]).toEqual([page, true]);
    for (const [index, { text }] of parts.entries())
      writeFileSync(join(folder, `${page.replace(/\W/g, '-')}-${index}.ts`), `${text}\nexport {};\n`);
  }
  expect(complaintsOf(folder)).toBe('');
});

/** Compiles the files of a folder and gives what the compiler prints. */
function complaintsOf(folder: string): string {
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2024',
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: ['node'],
  };
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
  try {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: folder, encoding: 'utf8' });
    return '';
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

test.each<[string, () => { readonly command: readonly string[]; readonly env: Readonly<Record<string, string>> }]>([
  ['the Dockerfile', readDockerfile],
  ['the systemd unit', () => ({ command: readUnit(), env: {} })],
])(
  'the command of %s serves calls with a key, answers the probes of Kubernetes and stops in order',
  { timeout: 60_000 },
  async (_, read) => {
    const folder = installed.folder();
    write({ ...blocksOf('docs/serving.md')[0], file: 'tools.ts' } as Block, folder);
    const { command, env: stated } = read();
    const [program, ...words] = command.map((word) => word.replace('/var/lib/tools', folder));
    expect(program).toMatch(/^(\/usr\/bin\/)?node$/);
    const key = 'a-key-of-at-least-24-characters';
    const child = spawn(process.execPath, words, { cwd: folder, env: { ...env, ...stated, TOOLPACT_API_KEYS: `acme:${key}` } });
    const ended = once(child, 'exit');
    const { port } = await listening(child);
    const host = /--hosts (\S+)/.exec(words.join(' '))?.[1] ?? '127.0.0.1';
    const headers = { host, 'content-type': 'application/json', authorization: `Bearer ${key}` };
    const called = await statusOf({ port, path: '/v1/tools/add', method: 'POST', headers }, '{"a":1,"b":2}');
    const probed = await Promise.all(probes().map((path) => statusOf({ port, path, headers: { host: '10.0.0.5:8787' } })));
    child.kill('SIGTERM');
    expect([called, probed, await ended]).toEqual([200, [200, 200], [0, null]]);
  },
);

test('the manifests are for the port that is served', () => {
  const [deployment, service] = readManifests();
  expect([deployment?.kind, service?.kind, service?.spec.ports]).toEqual(['Deployment', 'Service', [{ port: 80, targetPort: 8787 }]]);
  expect(probes()).toEqual(['/readyz', '/healthz']);
});

test('the workflow for CI passes, and fails once a promise is broken', { timeout: 120_000 }, async () => {
  const folder = installed.folder();
  const [tools] = blocksOf('docs/testing.md');
  write(tools as Block, folder);
  await runLine('npx toolpact lock tools.ts', folder);
  const [check = '', diff = ''] = readWorkflow();
  expect(await runLine(check, folder)).toContain('1 of 1 tools follow the contract');
  await runLine(diff, folder);
  write({ ...(tools as Block), text: (tools as Block).text.replaceAll('quotient', 'result') }, folder);
  expect(await runLine(diff, folder, true)).toContain('breaking');
});

function probes(): string[] {
  const [container = {}] = readManifests()[0]?.spec.template?.spec.containers ?? [];
  return ['readinessProbe', 'livenessProbe'].map((name) => {
    const { httpGet } = container[name] as { httpGet: { path: string; port: number } };
    expect(httpGet.port).toBe(8787);
    return httpGet.path;
  });
}

/** Asks this machine under any name, which `fetch` cannot do. */
function statusOf(options: RequestOptions, body = ''): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', ...options }, (response) => resolve(response.resume().statusCode))
      .on('error', reject)
      .end(body);
  });
}

/** Waits until a server says where it listens. */
function listening(child: ChildProcess): Promise<{ readonly port: string }> {
  let output = '';
  return new Promise((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const port = /listening on http:\/\/[\d.]+:(\d+)/.exec(output)?.[1];
      if (port !== undefined) resolve({ port });
    });
    child.once('exit', () => reject(new Error(`It ended before it listened: ${output}`)));
  });
}

/** A line of a page may leave out what differs from run to run: `…` stands for it. */
function isPrinted(line: string, output: string): boolean {
  const escaped = line.split('…').map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return output.includes(line) || new RegExp(escaped.join('.+')).test(output);
}

function write({ file, text }: Block, folder: string): void {
  if (file === undefined) return;
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), text);
}

async function runProgram(block: Block, folder: string): Promise<string> {
  const file = block.file ?? 'program.ts';
  write({ ...block, file }, folder);
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', file], { cwd: folder });
  return stdout;
}

async function runCommands({ text, fails }: Block, folder: string): Promise<string> {
  const printed: string[] = [];
  for (const line of text.split('\n')) {
    const command = line.replace(/\s+#.*$/, '').trim();
    if (command === '' || done.test(command)) continue;
    printed.push(lasting.test(command) ? await runUntilReady(command, folder) : await runLine(command, folder, fails));
  }
  return printed.join('\n');
}

/** Replaces npx for an installed package, without its half second. Nothing is there to be read from stdin. */
const prelude = 'npx() { "$@"; }; PATH="$PWD/node_modules/.bin:$PATH"; exec </dev/null; ';
/** Any free port: other tests listen, too. */
const env = { ...process.env, TOOLPACT_PORT: '0', npm_config_local_prefix: undefined };

/** Runs a line as a shell does; resolves with all that it printed. */
async function runLine(line: string, cwd: string, fails = false): Promise<string> {
  const ran = promisify(execFile)('bash', ['-c', prelude + line], { cwd, env }).then(
    ({ stdout, stderr }) => ({ failed: false, output: stdout + stderr }),
    (error: { stdout?: string; stderr?: string }) => ({ failed: true, output: `${error.stdout ?? ''}${error.stderr ?? ''}` }),
  );
  const { failed, output } = await ran;
  expect([failed, output]).toEqual([fails, output]);
  return output;
}

/** Starts a server, and stops it as soon as it says where it listens. */
function runUntilReady(line: string, cwd: string): Promise<string> {
  const child = spawn('bash', ['-c', `${prelude}${line.replace('npx ', 'exec ')}`], { cwd, env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (/http:\/\/[\w.]+:\d+/.test(output)) child.kill('SIGTERM');
    });
  }
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) =>
      code === 0 || signal === 'SIGTERM' ? resolve(output) : reject(new Error(`${line} ended with ${code}: ${output}`)),
    );
  });
}
