// Compares the cost of a plain call through the gateway with the shortest proxy by hand, and checks that memory stays flat: npm run proof -- gateway
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureOverhead } from './measure-overhead.ts';

const most = 1.3;
const mostGrowthMb = 5;

const { values } = parseArgs({ options: { calls: { type: 'string' }, round: { type: 'string' } } });
const { gatewayMs, byHandMs, heapMb } = await measureOverhead({ perRound: Number(values.round), rounds: 5, calls: Number(values.calls) });
const ratio = gatewayMs / byHandMs;
console.log(
  `a call through the gateway: ${gatewayMs.toFixed(3)} ms of processor time, by hand: ${byHandMs.toFixed(3)} ms, ratio ${ratio.toFixed(2)}`,
);
console.log(`heap of the gateway after each tenth of ${values.calls} calls, in MB: ${heapMb.map((mb) => mb.toFixed(1)).join(' ')}`);
console.log(`load of the machine: ${loadavg()[0]?.toFixed(1)}`);
const growth = (heapMb.at(-1) ?? 0) - (heapMb[1] ?? 0);
if (ratio > most || growth > mostGrowthMb) process.exitCode = 1;
