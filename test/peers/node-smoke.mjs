// Run by node-versions.test.ts under each Node version: one good and one failing call, then nothing that would keep the process alive.

import * as z from 'zod';
import { defineTool } from '../../dist/index.js';

const divide = defineTool({
  name: 'divide',
  description: 'Divides a by b.',
  input: z.object({ a: z.number(), b: z.number() }),
  effects: 'none',
  run({ a, b }) {
    if (b === 0) throw new RangeError('division by zero');
    return { quotient: a / b };
  },
});

const good = await divide.call({ a: 6, b: 3 });
const failing = await divide.call({ a: 6, b: 0 });
console.log(JSON.stringify({ node: process.versions.node, good, failing }));
