import process from 'node:process';
import { answerParent, ask, type Child, startChild } from './child.ts';
import { type Cost, leastCosts } from './cost.ts';

const connections = 32;
const lapSeconds = 1;

/** A server that does the work of a contest. */
export interface ServerRival {
  readonly name: string;
  /** Listens on a free port of this machine and gives it. */
  readonly serve: () => Promise<number>;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A part of the right answer. */
  readonly answer: string;
}

/** Lets all servers of a contest answer in turns, each in a process of its own, and gives the processor time of one request. */
export async function raceServers(contest: string, rivals: readonly ServerRival[], rounds: number): Promise<Cost[]> {
  const children: Child[] = [];
  for (const rival of rivals) {
    const child = await startChild(contest, rival.name);
    await checkAnswer(rival, child);
    await lap(rival, child);
    children.push(child);
  }
  const laps = new Map(rivals.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < rivals.length; turn += 1) {
      const place = (round + turn) % rivals.length;
      const rival = rivals[place] as ServerRival;
      laps.get(rival.name)?.push(await lap(rival, children[place] as Child));
    }
  }
  for (const child of children) child.process.disconnect();
  return leastCosts(laps);
}

/** The child's side. */
export async function serveRival(rivals: readonly ServerRival[], name: string): Promise<void> {
  const rival = rivals.find((one) => one.name === name);
  answerParent(await rival?.serve(), () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  });
}

/** A rival with another answer is not in the race. */
async function checkAnswer({ name, path, headers, body, answer }: ServerRival, { first: port }: Child): Promise<void> {
  const text = await (await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body })).text();
  if (!text.includes(answer)) throw new Error(`${name} answers ${text}`);
}

interface Shot {
  readonly requests: { readonly total: number };
  readonly non2xx: number;
  readonly errors: number;
}

async function lap({ name, path, headers, body }: ServerRival, child: Child): Promise<number> {
  const { default: autocannon } = (await import('autocannon' as string)) as { default: (options: object) => Promise<Shot> };
  const url = `http://127.0.0.1:${child.first}${path}`;
  const before = await ask<number>(child, 'processor time');
  const { requests, non2xx, errors } = await autocannon({ url, connections, method: 'POST', headers, body, duration: lapSeconds });
  if (non2xx + errors > 0) throw new Error(`${name} failed ${non2xx + errors} times`);
  return ((await ask<number>(child, 'processor time')) - before) / requests.total;
}
