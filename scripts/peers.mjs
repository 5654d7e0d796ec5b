// Installs proofs/peers, what only tests and benchmarks need, and proofs/kill, what only the kill battery needs besides, unless the same lock file
// was installed by the same Node before.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peers, root, runCaptured } from './run-step.mjs';

/** Installs and returns the exit code, printing npm's words only on failure. */
export async function installPeers() {
  const { code, output } = await ensurePeers();
  if (code !== 0) console.error(output);
  return code;
}

/** Further packages of the kill battery; two hosts need versions that conflict with the others. */
const killFolders = [
  ['proofs/kill', 'kill-lock-hash'],
  ['proofs/kill/workflow-agent', 'kill-workflow-agent-lock-hash'],
  ['proofs/kill/eve-app', 'kill-eve-lock-hash'],
];

/** Installs proofs/kill and the folders in it, and returns the exit code. */
export async function installKillBattery() {
  const failed = await installPeers();
  if (failed) return failed;
  for (const [folder, stampName] of killFolders) {
    const { code, output } = await ensureInstalled(join(root, folder), stampName);
    if (code !== 0) {
      console.error(output);
      return code;
    }
  }
  return 0;
}

/** Installs proofs/peers if need be; resolves to npm's exit code and output. */
export function ensurePeers() {
  linkStories();
  return ensureInstalled(peers, 'peers-lock-hash');
}

async function ensureInstalled(folder, stampName) {
  const stamp = join(root, '.cache', stampName);
  const hash = lockHash(folder);
  if (existsSync(join(folder, 'node_modules')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) {
    return { code: 0, output: 'kept' };
  }
  const result = await runCaptured('npm', ['install', '--no-save', '--no-progress'], folder);
  if (result.code === 0) {
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(stamp, hash);
  }
  return result;
}

/** Lets the stories of adapters import their frameworks by name, for Node and for the type checker. */
function linkStories() {
  const link = join(root, 'examples/adapters/node_modules');
  const target = '../../proofs/peers/node_modules';
  if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) {
    if (readlinkSync(link) === target) return;
    rmSync(link);
  }
  symlinkSync(target, link);
}

function lockHash(folder) {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of ['package.json', 'package-lock.json']) {
    const path = join(folder, file);
    hash.update(existsSync(path) ? readFileSync(path) : 'none');
  }
  return hash.digest('hex');
}
