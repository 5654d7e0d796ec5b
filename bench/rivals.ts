// Compares the cost of a call with other libraries at equal work, as the table of docs/speed.md: npm run bench -- [--only call|http|mcp|durable] [--rounds <n>]
import '../scripts/resolve-peers.ts';
import { parseArgs } from 'node:util';
import type { Cost } from './rivals/cost.ts';
import type { ServerRival } from './rivals/race-servers.ts';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string', default: '' }, rounds: { type: 'string', default: '5' } },
});

/** One kind of work, done by several rivals. The first of them is ours, and so are all whose names begin like it. */
interface Contest {
  readonly work: string;
  readonly race: (rounds: number) => Promise<Cost[]>;
  /** Does the work of one rival, in a process of its own. */
  readonly serve?: (rival: string) => Promise<void>;
}

// Loaded on demand: a child loads only what its rival needs.
const contests: Readonly<Record<string, Contest>> = {
  call: { work: 'a call in process', race: async (rounds) => (await import('./rivals/race-calls.ts')).raceCalls(rounds) },
  http: { work: 'a call over HTTP', ...onServers('http', async () => (await import('./rivals/http-rivals.ts')).httpRivals) },
  mcp: { work: 'an MCP `tools/call` over HTTP', ...onServers('mcp', async () => (await import('./rivals/mcp-rivals.ts')).mcpRivals) },
  durable: {
    work: 'a call of five durable steps on PostgreSQL',
    race: async (rounds) => (await import('./rivals/race-durable.ts')).raceDurable(rounds),
    serve: async (rival) => (await import('./rivals/race-durable.ts')).serveDurable(rival),
  },
};

const [contest, rival] = positionals;
if (contest !== undefined && rival !== undefined) await contests[contest]?.serve?.(rival);
else {
  await compare();
  process.exit(0);
}

async function compare(): Promise<void> {
  console.log('| work | done with | processor time | Toolpact takes of it |\n|---|---|---:|---:|');
  for (const [name, { work, race }] of Object.entries(contests)) {
    if (!name.startsWith(options.only)) continue;
    const [ours, ...others] = await race(Number(options.rounds));
    if (ours === undefined) continue;
    console.log(`| ${work} | **${ours.rival}** | ${toTime(ours.processorUs)} | |`);
    for (const other of others) {
      const ratio = other.rival.startsWith(ours.rival) ? '' : (ours.processorUs / other.processorUs).toFixed(2);
      console.log(`| | ${other.rival} | ${toTime(other.processorUs)} | ${ratio} |`);
    }
  }
}

function toTime(us: number): string {
  return us < 1000 ? `${us.toFixed(us < 10 ? 1 : 0)} µs` : `${(us / 1000).toFixed(1)} ms`;
}

function onServers(name: string, load: () => Promise<readonly ServerRival[]>): Pick<Contest, 'race' | 'serve'> {
  return {
    race: async (rounds) => (await import('./rivals/race-servers.ts')).raceServers(name, await load(), rounds),
    serve: async (one) => (await import('./rivals/race-servers.ts')).serveRival(await load(), one),
  };
}
