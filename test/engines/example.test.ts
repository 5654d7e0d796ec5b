import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runNode } from '../run-node.ts';
import { startTestRestate } from './with-restate.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const story = 'examples/durable-order/on-restate.ts';
const hooks = ['--no-warnings', '--import', './bench/resolve-peers.ts'];

test('the order that dies in the middle is finished on Restate', async () => {
  const restate = await startTestRestate({ mayBeLonely: false });
  try {
    const env = { RESTATE_INGRESS: restate.ingress, RESTATE_ADMIN: restate.admin };
    const { code, stdout } = await runNode([...hooks, story], { cwd: root, env });
    expect([code, stdout]).toEqual([0, expect.stringContaining("'shipped A-1'")]);
  } finally {
    await restate.remove();
  }
});
