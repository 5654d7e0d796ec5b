import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { sourceArguments } from '../fixtures/source-arguments.ts';

/** The cost of calls through the gateway, beside those through a proxy by hand. */
export interface Overhead {
  /** Processor time of one call, in milliseconds: the least of the rounds. */
  readonly gatewayMs: number;
  readonly byHandMs: number;
  /** The heap of the gateway after each tenth of the calls. */
  readonly heapMb: readonly number[];
}

interface Front {
  readonly url: string;
  readonly used: () => Promise<{ readonly cpuMs: number; readonly heapMb: number }>;
  readonly close: () => void;
}

const program = fileURLToPath(new URL('front.ts', import.meta.url));
const revision = '2026-07-28';

/** Measures the overhead of plain calls over HTTP to one server over HTTP, and the memory of the gateway over many of them. */
export async function measureOverhead({
  perRound,
  rounds,
  calls,
}: Readonly<Record<'perRound' | 'rounds' | 'calls', number>>): Promise<Overhead> {
  const upstream = await start('upstream');
  const fronts = { gateway: await start('gateway', `${upstream.url}/mcp`), byHand: await start('by-hand', `${upstream.url}/mcp`) };
  try {
    const least = { gateway: Number.POSITIVE_INFINITY, byHand: Number.POSITIVE_INFINITY };
    for (let round = 0; round <= rounds; round += 1)
      for (const [name, front] of Object.entries(fronts) as ['gateway' | 'byHand', Front][]) {
        const before = await front.used();
        await call(front.url, perRound);
        const { cpuMs } = await front.used();
        // The first round warms up.
        if (round > 0) least[name] = Math.min(least[name], (cpuMs - before.cpuMs) / perRound);
      }
    const heapMb: number[] = [];
    for (let tenth = 0; tenth < 10 && calls > 0; tenth += 1) {
      await call(fronts.gateway.url, calls / 10);
      heapMb.push((await fronts.gateway.used()).heapMb);
    }
    return { gatewayMs: least.gateway, byHandMs: least.byHand, heapMb };
  } finally {
    for (const front of [...Object.values(fronts), upstream]) front.close();
  }
}

async function start(...words: string[]): Promise<Front> {
  const child: ChildProcess = spawn(process.execPath, ['--expose-gc', ...sourceArguments, program, ...words], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const next = async (): Promise<string> => String((await once(lines, 'line'))[0]);
  return {
    url: await next(),
    used() {
      const answer = next();
      child.stdin?.write('\n');
      return answer.then((line) => JSON.parse(line));
    },
    close: () => void child.stdin?.end(),
  };
}

/** Makes calls, a few at a time, and checks each answer. */
async function call(url: string, count: number): Promise<void> {
  let left = count;
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const text = `call ${left}`;
      const answer = await ask(url, text);
      if (!answer.includes(text)) throw new Error(`${url} answered ${answer.slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
}

async function ask(url: string, text: string): Promise<string> {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'echo', arguments: { text }, _meta: meta } }),
  });
  return response.text();
}
