import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../../src/index.ts';
import { crashSteps, createCrashBox, readLedger } from '../engines/crash-tool.ts';
import { startWorkerFleet } from './member-fleet.ts';
import { startCluster } from './start-cluster.ts';

export interface FleetRunOptions {
  readonly folder: string;
  /** How many calls are in flight when a member is killed. */
  readonly calls: number;
  /** How long each of the five steps takes. */
  readonly pauseMs: number;
  readonly say?: (line: string) => void;
}

/** What became of the calls of a fleet: sentences about what must not be, and how calls ended. */
export interface FleetFindings {
  readonly broken: readonly string[];
  readonly calls: number;
  readonly ends: Readonly<Record<string, number>>;
  readonly longestMs: number;
}

const size = 3;

/**
 * Runs three nodes of Restate and three workers behind a balancer. Each member is killed in turn with calls in flight, and comes back; at last
 * all of them are restarted in order, one after the other, under load.
 */
export async function runFleet({ folder, calls, pauseMs, say = () => undefined }: FleetRunOptions): Promise<FleetFindings> {
  const ledger = join(folder, 'fleet.ledger');
  writeFileSync(ledger, '');
  const nodes = await startCluster(folder);
  const workers = await startWorkerFleet({ size, words: ['fleet', ledger] });
  const box = createCrashBox(
    nodes.map(({ ingress }) => ingress),
    'fleet',
    ledger,
    () => undefined,
  );
  const broken: string[] = [];
  const ends: Record<string, number> = {};
  let longestMs = 0;
  let made = 0;

  async function disturb(what: string, act: () => unknown): Promise<void> {
    const startedAt = performance.now();
    const calling = Array.from({ length: calls }, async (_, index) => {
      const id = `${what}-${index}`;
      const began = performance.now();
      const outcome = (await box.call('order', { id, pauseMs })) as Outcome<string[]>;
      longestMs = Math.max(longestMs, performance.now() - began);
      return { id, outcome };
    });
    // All calls are under way: each has done its first step, and none its last.
    while (readLedger(ledger).filter((line) => line.startsWith(`charge ${what}-`)).length < calls / 2) await delay(20);
    await act();
    const answers = await Promise.all(calling);
    made += answers.length;
    const lines = readLedger(ledger);
    for (const { id, outcome } of answers) {
      const end = outcome.status === 'error' ? outcome.error.kind : outcome.status;
      ends[end] = (ends[end] ?? 0) + 1;
      broken.push(...judge(id, outcome, lines));
    }
    say(`${what}: ${calls} calls answered in ${Math.round(performance.now() - startedAt)} ms`);
  }

  try {
    await nodes[0]?.register(workers.uri);
    for (let index = 0; index < size; index += 1) await disturb(`worker ${index + 1} killed`, () => workers.kill(index));
    for (const [index, node] of nodes.entries()) {
      await disturb(`node ${index + 1} killed`, () => node.stop('crash'));
      await node.start();
    }
    await disturb('rolling restart', async () => {
      for (const [index, node] of nodes.entries()) {
        await node.stop('in order');
        await node.start();
        await workers.restart(index);
      }
    });
  } finally {
    workers.close();
    await Promise.all(nodes.map((node) => node.stop('crash')));
  }
  return { broken, calls: made, ends, longestMs };
}

function judge(id: string, outcome: Outcome<string[]>, ledger: readonly string[]): string[] {
  const times = (name: string): number => ledger.filter((line) => line === `${name} ${id}`).length;
  const isInterrupted = outcome.status === 'error' && outcome.error.kind === 'interrupted' && outcome.error.effect === 'unknown';
  return [
    ...crashSteps.flatMap(({ name, effects }) =>
      effects === 'writes' && times(name) > 1 && !isInterrupted ? [`${id}: ${name} was done ${times(name)} times`] : [],
    ),
    ...(outcome.status === 'ok' || isInterrupted ? [] : [`${id}: ended as ${JSON.stringify(outcome)}`]),
    ...(outcome.status === 'ok' && crashSteps.some(({ name }) => times(name) === 0) ? [`${id}: a step was left out`] : []),
  ];
}
