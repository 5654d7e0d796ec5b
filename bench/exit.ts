import { fileURLToPath } from 'node:url';
import { defineTool } from 'toolpact';
import type { Finding } from './finding.ts';
import { runChild } from './run-child.ts';

const file = fileURLToPath(import.meta.url);
const maxLingerMs = 100;

/** Lets a process make one call and looks how long it stays after its answer, and how much longer it lives than one that does nothing. */
export async function measureExit(times: number): Promise<Finding> {
  let bareMs = Number.POSITIVE_INFINITY;
  let callMs = Number.POSITIVE_INFINITY;
  let lingerMs = Number.POSITIVE_INFINITY;
  for (let time = 0; time < times; time += 1) {
    const bare = await runChild(['-e', '0']);
    const call = await runChild([file, 'call']);
    bareMs = Math.min(bareMs, bare.tookMs);
    callMs = Math.min(callMs, call.tookMs);
    if (call.code === 0) lingerMs = Math.min(lingerMs, call.endedAt - Number(call.stdout));
  }
  return {
    name: 'a script that makes one call exits',
    found: `${lingerMs.toFixed(0)} ms after its answer; lives ${(callMs - bareMs).toFixed(0)} ms longer than \`node -e 0\` (${bareMs.toFixed(0)} ms)`,
    target: `≤ ${maxLingerMs} ms after`,
    met: lingerMs <= maxLingerMs,
  };
}

/** The child's side: one call that waits, so that its deadline of 30 s is armed, and the time of its answer. */
async function run(): Promise<void> {
  const wait = defineTool({
    name: 'wait',
    description: 'Waits a turn.',
    effects: 'none',
    run: () => new Promise<string>((done) => setImmediate(done, 'done')),
  });
  const { status } = await wait.call({});
  if (status !== 'ok') throw new Error(`ended as ${status}`);
  console.log(performance.timeOrigin + performance.now());
}

const [, started, mode] = process.argv;
if (started === file && mode === 'call') await run();
