// Holds a server under hostile load and compares what it needs with the stated bounds. Usage: node scripts/run.mjs proof load [--seconds 600]
import process from 'node:process';
import { parseArgs } from 'node:util';
import { bounds, runLoad } from './run-load.ts';

const { values } = parseArgs({ options: { seconds: { type: 'string' } } });
let lines = 0;
const report = await runLoad(Number(values.seconds), (line) => {
  lines += 1;
  if (lines % 30 === 0) console.log(line);
});
console.log(report);
const isHeld =
  report.exit === null && report.heapAfter <= bounds.heapAfter && report.disk <= bounds.disk && report.politeFailures.length === 0;
console.log(isHeld ? `within ${JSON.stringify(bounds)}` : `NOT within ${JSON.stringify(bounds)}`);
if (!isHeld) process.exitCode = 1;
