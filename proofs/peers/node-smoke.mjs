// Run by node-versions.test.ts under each Node version: one good and one failing call, then nothing that would keep the process alive.

import { setImmediate as nextTurn } from 'node:timers/promises';
import * as z from 'zod';
import { defineTool } from '../../packages/toolpact/dist/index.js';

const divide = defineTool({
  name: 'divide',
  description: 'Divides a by b.',
  input: z.object({ a: z.number(), b: z.number() }),
  effects: 'none',
  // Asynchronous, so that a deadline is set.
  async run({ a, b }) {
    if (b === 0) throw new RangeError('division by zero');
    return { quotient: a / b };
  },
});

const good = await divide.call({ a: 6, b: 3 });
const failing = await divide.call({ a: 6, b: 0 });
// Timers are given back at the end of a turn of the event loop.
await nextTurn();
await nextTurn();
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
console.log(JSON.stringify({ node: process.versions.node, good, failing, timers }));
