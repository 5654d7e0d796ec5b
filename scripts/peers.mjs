// Installs proofs/peers, what only tests and benchmarks need, unless the same lock file was installed by the same Node before.
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peers, root, runCaptured } from './run-step.mjs';

const stamp = join(root, '.cache/peers-lock-hash');

/** Installs and returns the exit code, printing npm's words only on failure. */
export async function installPeers() {
  const { code, output } = await ensurePeers();
  if (code !== 0) console.error(output);
  return code;
}

/** Installs if need be; resolves to npm's exit code and output. */
export async function ensurePeers() {
  linkStories();
  if (existsSync(join(peers, 'node_modules')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash()) {
    return { code: 0, output: 'kept' };
  }
  const result = await runCaptured('npm', ['install', '--no-save', '--no-progress'], peers);
  if (result.code === 0) {
    mkdirSync(join(root, '.cache'), { recursive: true });
    writeFileSync(stamp, lockHash());
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

function lockHash() {
  const hash = createHash('sha256').update(process.versions.node.split('.')[0]);
  for (const file of ['package.json', 'package-lock.json']) {
    const path = join(peers, file);
    hash.update(existsSync(path) ? readFileSync(path) : 'none');
  }
  return hash.digest('hex');
}
