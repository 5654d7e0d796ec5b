import { createToolbox, defineTool } from 'toolpact';
import { postgresStore } from 'toolpact/stores/postgres';
import { startPostgres } from '../../proofs/fixtures/start-postgres.ts';
import { processorTime } from '../durable/processor-time.ts';
import { answerParent, ask, type Child, startChild } from './child.ts';
import { type Cost, leastCosts } from './cost.ts';

const steps = 5;
const callsPerLap = 100;
const inFlight = 10;

/** A way to run a call of five steps whose results are kept in PostgreSQL. */
interface DurableRival {
  readonly name: string;
  /** Connects to a database, and gives the function that makes one call. */
  readonly open: (connectionString: string) => Promise<() => Promise<unknown>>;
}

const rivals: readonly DurableRival[] = [
  { name: 'Toolpact', open: (address) => openToolpact(address, 'none') },
  {
    name: "Toolpact, steps with `effects: 'writes'`, which are recorded before they begin, too",
    open: (address) => openToolpact(address, 'writes'),
  },
  { name: 'DBOS', open: openDbos },
];

/** Lets all rivals make calls in turns, each in a process of its own with a PostgreSQL of its own, and gives the processor time of one call, that of the server included. */
export async function raceDurable(rounds: number): Promise<Cost[]> {
  const children: Child[] = [];
  for (const { name } of rivals) children.push(await startChild('durable', name));
  const laps = new Map(rivals.map(({ name }) => [name, [] as number[]]));
  for (const child of children) await ask(child, 'lap');
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < rivals.length; turn += 1) {
      const place = (round + turn) % rivals.length;
      laps.get(rivals[place]?.name ?? '')?.push(await ask<number>(children[place] as Child, 'lap'));
    }
  }
  for (const child of children) {
    child.process.disconnect();
    await new Promise((resolve) => child.process.once('exit', resolve));
  }
  return leastCosts(laps);
}

/** The child's side. */
export async function serveDurable(name: string): Promise<void> {
  const server = await startPostgres({ settings: [] });
  const rival = rivals.find((one) => one.name === name);
  const call = await rival?.open(server.connectionString);
  const lap = async (): Promise<number> => {
    const before = processorTime();
    let made = 0;
    const callInTurn = async (): Promise<void> => {
      for (; made < callsPerLap; ) {
        made += 1;
        await call?.();
      }
    };
    await Promise.all(Array.from({ length: inFlight }, callInTurn));
    return ((processorTime() - before) * 1000) / callsPerLap;
  };
  answerParent('ready', lap, () => server.remove());
}

async function openToolpact(connectionString: string, effects: 'none' | 'writes'): Promise<() => Promise<unknown>> {
  const order = defineTool({
    name: 'order',
    description: 'Takes five steps.',
    effects: 'writes',
    steps: true,
    async run(_, ctx) {
      for (let step = 0; step < steps; step += 1) await ctx.step(`step ${step}`, async () => ({ receipt: `r-${step}` }), { effects });
      return steps;
    },
  });
  const store = postgresStore(connectionString);
  const toolbox = createToolbox([order], { store });
  return async () => {
    const outcome = await toolbox.call('order', {});
    if (outcome.status !== 'ok') throw new Error(JSON.stringify(outcome));
  };
}

async function openDbos(connectionString: string): Promise<() => Promise<unknown>> {
  const { DBOS } = await import('@dbos-inc/dbos-sdk');
  DBOS.setConfig({ name: 'bench', systemDatabaseUrl: connectionString, logLevel: 'error' });
  const order = DBOS.registerWorkflow(
    async () => {
      for (let step = 0; step < steps; step += 1) await DBOS.runStep(async () => ({ receipt: `r-${step}` }), { name: `step ${step}` });
      return steps;
    },
    { name: 'order' },
  );
  await DBOS.launch();
  return async () => {
    if ((await order()) !== steps) throw new Error('the workflow gave a wrong answer');
  };
}
