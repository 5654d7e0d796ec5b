// How the scripts start other programs: under this Node, from the repository's root, without a terminal to ask questions on.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
export const peers = join(root, 'proofs/peers');

/** Arguments of Node before the name of a TypeScript file that imports entries of packages as a user does, from what was built. */
export const nodeArguments = ['--disable-warning=ExperimentalWarning'];

/** Arguments of Node before the name of a TypeScript file that runs on the source of the packages. */
export const sourceArguments = [...nodeArguments, '--import', pathToFileURL(join(root, 'scripts/resolve-source.ts')).href];

/** The environment for children: this Node first on PATH, the type checker that oxlint asks for, and nothing that ties a nested npm to this package. */
export function childEnv(node = process.execPath) {
  const PATH = `${dirname(node)}${delimiter}${process.env.PATH ?? ''}`;
  const env = { ...process.env, PATH, OXLINT_TSGOLINT_PATH: join(peers, 'node_modules/.bin/tsgolint') };
  for (const key of ['npm_config_local_prefix', 'npm_config_workspace', 'npm_config_package_lock_only']) delete env[key];
  return env;
}

/** Node's arguments that run an installed package's command, looked up in this package or in proofs/peers. */
export function toolArguments(name, command, ...words) {
  return toolArgumentsIn(root, name, command, words);
}

export function peerToolArguments(name, command, ...words) {
  return toolArgumentsIn(peers, name, command, words);
}

function toolArgumentsIn(base, name, command, words) {
  const folder = join(base, 'node_modules', name);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return [join(folder, typeof bin === 'string' ? bin : bin[command]), ...words];
}

/** Runs Node with the caller's terminal and returns the exit code. */
export function runInherited(words) {
  return spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit', env: childEnv() }).status ?? 1;
}

/** Runs a program with the caller's terminal until it ends, hands signals on to it, and resolves to its exit code; undefined when it cannot be started. */
export function runForeground(program, words) {
  const child = spawn(program, words, { stdio: 'inherit', env: childEnv(program) });
  const handOn = (signal) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, handOn);
  return new Promise((resolve) => {
    child.on('error', () => resolve(undefined));
    child.on('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/** After this a program counts as hung. */
const patienceMs = 30 * 60_000;

/** Runs a program quietly and resolves to its exit code, all it printed, without colours, and the processor time it took where that is known. */
export function runCaptured(program, words, cwd = root, env = {}) {
  return new Promise((resolve) => {
    let output = '';
    let processorSeconds;
    const child = spawn(program, words, { cwd, stdio: ['ignore', 'pipe', 'pipe'], env: { ...childEnv(), ...env }, timeout: patienceMs });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', (error) => resolve({ code: 1, output: `${error.message}\n` }));
    child.on('exit', () => {
      processorSeconds = takeProcessorSeconds();
    });
    child.on('close', (code, signal) => {
      const text = stripVTControlCharacters(output);
      resolve({ code: code ?? 1, output: signal ? `${text}ended by ${signal}\n` : text, processorSeconds });
    });
  });
}

let takenTicks = 0;
/**
 * The processor time of the child that has just ended, with all that it started and waited for: Linux adds it to a sum at that moment. On a busy
 * machine it tells more than the time that passed.
 */
function takeProcessorSeconds() {
  if (!existsSync('/proc/self/stat')) return undefined;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [userTicks, systemTicks] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15);
  const ticks = Number(userTicks) + Number(systemTicks) - takenTicks;
  takenTicks += ticks;
  return ticks / 100;
}
