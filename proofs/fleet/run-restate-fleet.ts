import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCrashBox } from '../../packages/restate/test/crash-box.ts';
import { bundleProgram } from '../crash/bundle-program.ts';
import { createLoad, type FleetFindings } from './load.ts';
import { startMembers } from './member-fleet.ts';
import type { FleetRunOptions } from './run-postgres-fleet.ts';
import { startCluster } from './start-cluster.ts';

export interface RestateFleetOptions extends FleetRunOptions {
  /** For so long a silent worker is taken to be alive. One that stands still for longer while it hands a step over loses the call. */
  readonly leaseMs: number;
}

/**
 * Runs three nodes of Restate and three workers behind a balancer. The workers are restarted in order under load, then each member is killed in
 * turn with calls in flight, and comes back; with all of them killed, the nodes are restarted in order too. Restate breaks runs off whenever a node
 * stops or leads less; the workers hand the steps that they run then over to each other, so that only the death of a worker loses one.
 */
export async function runRestateFleet({
  folder,
  calls,
  pauseMs,
  kills = 3,
  leaseMs,
  say = () => undefined,
}: RestateFleetOptions): Promise<FleetFindings> {
  const ledger = join(folder, 'restate.ledger');
  writeFileSync(ledger, '');
  const program = await bundleProgram(folder, new URL('../../packages/restate/test/crash-worker.ts', import.meta.url));
  const cluster = await startCluster(folder);
  const { nodes } = cluster;
  const ingress = nodes.map((node) => node.ingress);
  const workers = await startMembers({ size: 3, program, words: ['fleet', ledger, String(leaseMs), ...ingress] });
  const box = createCrashBox(ingress, 'fleet', ledger);
  const load = createLoad({ ledger, calls, say, call: (id) => box.call('order', { id, pauseMs }) });
  try {
    await cluster.register(workers.uri);
    const restartWorkers = async (): Promise<void> => {
      for (const index of [0, 1, 2]) await workers.restart(index);
    };
    await load.during('workers restarted', restartWorkers, false);
    for (let index = 0; index < kills; index += 1) await load.during(`worker ${index + 1} killed`, () => workers.kill(index));
    for (const [index, node] of nodes.slice(0, kills).entries()) {
      await load.during(`node ${index + 1} killed`, () => node.stop('crash'), false);
      await node.start();
    }
    if (kills < nodes.length) return load.findings();
    const restartNodes = async (): Promise<void> => {
      for (const node of nodes) {
        await node.stop('in order');
        await node.start();
      }
    };
    await load.during('nodes restarted', restartNodes, false);
  } finally {
    workers.close();
    await cluster.close();
  }
  return load.findings();
}
