// A process of an engine that is killed: begins a run, or takes up the one that is named, and prints its id and what it was told.
import process from 'node:process';
import { engines } from './engines.ts';

const [name = '', folder = '', postgres = '', invoice = '', begun] = process.argv.slice(2);
const clerk = await engines[name]?.start({ folder, postgres });
if (clerk?.durable === undefined) throw new Error(`${name} has no runs that outlive a process`);
const runId = begun ?? (await clerk.durable.begin({ invoice, amount: 20 }));
console.log(`run ${runId}`);
console.log(`told ${JSON.stringify(await clerk.durable.end(runId))}`);
process.exit(0);
