import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bundleProgram } from '../../../proofs/crash/bundle-program.ts';
import { startMembers } from '../../../proofs/fleet/member-fleet.ts';
import { createCrashBox } from './crash-box.ts';
import { readLedger } from './crash-tool.ts';
import { runKills } from './run-kills.ts';
import { startTestRestate, type TestRestate } from './with-restate.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-kills-'));
let restate: TestRestate;
beforeAll(async () => {
  restate = await startTestRestate();
});
afterAll(async () => {
  await restate.remove();
  rmSync(folder, { recursive: true, force: true });
});

test('a worker that dies around a step does nothing twice, and every call ends', async () => {
  // The moments around the first two steps, the second of which writes; `npm run proof -- restate` kills 200 times at 15 moments.
  const { broken, kills, ends } = await runKills({ restate, folder, name: 'kills', kills: 6 });
  expect(broken).toEqual([]);
  expect({ kills, ends }).toEqual({ kills: 6, ends: { ok: 4, interrupted: 2 } });
}, 240_000);

test('a worker whose connection breaks in a step gives the end of it to the worker that goes on', async () => {
  const name = 'cut-off';
  const ledger = join(folder, `${name}.ledger`);
  writeFileSync(ledger, '');
  const program = await bundleProgram(folder, new URL('crash-worker.ts', import.meta.url));
  const workers = await startMembers({ size: 2, program, words: [name, ledger, '3000', restate.ingress] });
  try {
    workers.cutOff({ but: 0 });
    await restate.register(workers.uri);
    const calling = createCrashBox([restate.ingress], name, ledger).call('order', { id: name, pauseMs: 500 });
    for (const [index, step] of ['charge', 'ship'].entries()) {
      await vi.waitFor(() => expect(readLedger(ledger)).toContain(`${step} ${name}`), { timeout: 60_000, interval: 20 });
      workers.cutOff({ but: 1 - index });
    }
    expect(await calling).toMatchObject({ status: 'ok', data: ['price', 'charge', 'reserve', 'ship', 'note'] });
    expect(readLedger(ledger).filter((line) => /^(charge|ship) /.test(line))).toEqual([`charge ${name}`, `ship ${name}`]);
  } finally {
    workers.close();
  }
}, 120_000);

test('a call with steps stores how it ended before it returns that: a replay that took another time returns the same', async () => {
  const query = `SELECT entry_type, name FROM sys_journal WHERE entry_type IN ('Command: Run', 'Command: Output')
    AND id IN (SELECT id FROM sys_invocation WHERE target_handler_name = 'run') ORDER BY id, index`;
  const response = await fetch(`${restate.admin}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { rows } = (await response.json()) as { readonly rows: readonly { readonly entry_type: string; readonly name?: string }[] };
  const ends = rows.flatMap(({ entry_type }, index) => (entry_type === 'Command: Output' ? [rows[index - 1]?.name] : []));
  expect(new Set(ends)).toEqual(new Set(['end']));
});
