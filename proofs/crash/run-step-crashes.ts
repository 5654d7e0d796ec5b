import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createWorker } from 'toolpact';
import { type Ledger, noTenant } from 'toolpact/extend';
import type { StoreAddress } from '../../packages/toolpact/test/stores/open-store.ts';
import { warmUp } from '../../packages/toolpact/test/stores/warm-up.ts';
import { createOrders, endings, moments, orderSteps } from './step-worker.ts';

export interface StepCrashes {
  readonly name: string;
  readonly program: string;
  readonly store: StoreAddress;
  readonly folder: string;
  readonly kills: number;
  readonly leaseMs?: number;
  /** Is called with the number of processes that were killed and whose orders were judged. */
  readonly onKill?: (done: number) => void;
}

export const places: readonly string[] = [...orderSteps.flatMap(([step]) => moments.map((moment) => `${step} ${moment}`)), ...endings];

/**
 * Kills processes (SIGKILL) that each have an order at every moment around each of five steps and around their end, and lets a worker take the orders over. Gives
 * sentences about what must not be: the ledger, a file that only steps write, is the truth.
 */
export async function runStepCrashes({ name, program, store, folder, kills, leaseMs = 400, onKill }: StepCrashes): Promise<string[]> {
  const settings = { store, ledger: join(folder, `${name}.ledger`), leaseMs };
  writeFileSync(settings.ledger, '');
  const { toolbox, store: own } = createOrders(settings, async () => undefined);
  await warmUp(own);
  const worker = createWorker(toolbox, { everyMs: 100 });
  const broken: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const run = `${name}-${kill}`;
    const child = spawn(process.execPath, [program, JSON.stringify({ ...settings, places, run })], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGKILL');
    await once(child, 'exit');
    for (const [index, place] of places.entries()) broken.push(...(await judge(`${run}-${index}`, place)));
    onKill?.(kill + 1);
  }
  await worker.stop();
  broken.push(...(await findLeftovers()));
  if (broken.length > 0) await keepRecords();
  await own.close();
  return broken;

  /** All calls of the lane, each with its steps. */
  async function readCalls() {
    const ledger = own.calls as Ledger;
    const { rows } = await ledger.list({ tenant: noTenant, limit: 10_000 });
    return Promise.all(rows.map(async (row) => ({ call: await ledger.get(noTenant, row.id), steps: await ledger.steps(row) })));
  }

  /** Keeps what is needed to explain a broken promise: all that the store and the ledger hold. */
  async function keepRecords(): Promise<void> {
    // Not beside this file: it may run as a bundle.
    const file = join(process.cwd(), '.cache', `steps-${name}.json`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ broken, calls: await readCalls(), ledger: readFileSync(settings.ledger, 'utf8').split('\n') }));
    console.error(`All records are in .cache/steps-${name}.json.`);
  }

  /** Names what nothing will ever read: steps of calls that went well. All calls must have ended, and nothing may be left to take over. */
  async function findLeftovers(): Promise<string[]> {
    const calls = await readCalls();
    return calls.flatMap(({ call, steps }) => [
      ...(call?.stage === 'ended' ? [] : [`the order ${call?.id} has not ended in the store`]),
      ...(call?.outcome?.status === 'ok' && steps.length > 0 ? [`the order ${call.id} went well and keeps its steps`] : []),
    ]);
  }

  async function judge(id: string, place: string): Promise<string[]> {
    // On a busy machine a store may answer too late, and is asked again.
    const find = () => toolbox.calls.get(id).catch(() => undefined);
    let call = await find();
    for (let waited = 0; call?.outcome === undefined && waited < 120_000; waited += 50) {
      await delay(50);
      call = await find();
    }
    const { outcome } = call ?? {};
    if (outcome === undefined) return [`${id} (${place}) never ended`];
    const lines = readFileSync(settings.ledger, 'utf8').split('\n');
    const isInterrupted = outcome.status === 'error' && outcome.error.kind === 'interrupted' && outcome.error.effect === 'unknown';
    if (outcome.status !== 'ok' && !isInterrupted) return [`${id} (${place}) ended as ${JSON.stringify(outcome)}`];
    return orderSteps.flatMap(([step, effects]) => {
      const times = lines.filter((line) => line === `${id} ${step}`).length;
      if (effects === 'writes' && times > 1) return [`${id} (${place}) did ${step} ${times} times`];
      if (outcome.status === 'ok' && times === 0) return [`${id} (${place}) is ok without ${step}`];
      if (place === endings[1] && times !== 1) return [`${id} (${place}) did ${step} ${times} times`];
      // Only a step that writes, and was under way, may leave its call open.
      return isInterrupted && !/^(charge|ship) (begun|written)$/.test(place) ? [`${id} (${place}) was interrupted`] : [];
    });
  }
}
