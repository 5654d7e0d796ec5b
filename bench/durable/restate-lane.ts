import { mkdtempSync, writeFileSync } from 'node:fs';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import * as sdk from '@restatedev/restate-sdk';
import { type NodeHandler, onRestate, restateEndpoint } from '@toolpact/restate';
import { createToolbox } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { createCrashBox } from '../../packages/restate/test/crash-box.ts';
import { startTestRestate } from '../../packages/restate/test/with-restate.ts';
import { bundleProgram } from '../../proofs/crash/bundle-program.ts';
import { startMembers } from '../../proofs/fleet/member-fleet.ts';
import { assertOk, callFor, type DurableLane, stepped } from './lane.ts';

/** Opens Restate: a workflow by hand with one `ctx.run` per entry. */
export async function openRestateLane(folder: string): Promise<DurableLane> {
  const restate = await startTestRestate({ mayBeLonely: false });
  const toolbox = createToolbox([stepped], { store: memoryStore(), use: [onRestate({ ingress: restate.ingress })] });
  const bare = sdk.workflow({
    name: 'bare',
    handlers: {
      run: async (ctx: sdk.WorkflowContext, { entries }: { entries: number }) => {
        for (let entry = 0; entry < entries; entry += 1) await ctx.run(`step ${entry}`, () => ({ receipt: `r-${entry}` }));
        return entries;
      },
    },
  });
  const handlers = [restateEndpoint(toolbox), sdk.createEndpointHandler({ services: [bare], logger: () => undefined }) as NodeHandler];
  const servers = await Promise.all(handlers.map(serve));
  for (const { uri } of servers) await restate.register(uri);
  let calls = 0;
  return {
    call: async (steps, effects) => assertOk(await toolbox.call('stepped', { steps, effects })),
    async byHand(entries) {
      calls += 1;
      const response = await fetch(`${restate.ingress}/bare/${calls}/run`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ entries }),
      });
      if ((await response.json()) !== entries) throw new Error('the workflow gave a wrong answer');
    },
    async withWorkers(size, seconds) {
      const service = `workers-${size}`;
      const own = mkdtempSync(join(folder, `${service}-`));
      const ledger = join(own, 'ledger');
      writeFileSync(ledger, '');
      const program = await bundleProgram(own, new URL('../../packages/restate/test/crash-worker.ts', import.meta.url));
      const fleet = await startMembers({ size, program, words: [service, ledger, '3000', restate.ingress] });
      await restate.register(fleet.uri);
      const box = createCrashBox([restate.ingress], service, ledger);
      let made = 0;
      const call = async (): Promise<void> => {
        made += 1;
        assertOk(await box.call('order', { id: `${service}-${made}` }));
      };
      await call();
      const ended = await callFor(seconds, 32, call);
      fleet.close();
      return ended / seconds;
    },
    async close() {
      for (const { close } of servers) close();
      await restate.remove();
    },
  };
}

async function serve(handler: NodeHandler): Promise<{ readonly uri: string; readonly close: () => void }> {
  const server = http2.createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { uri: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
}
