import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { z } from 'zod';
import { serveStdio } from '../src/stdio.ts';

/** A program that serves tools on its standard input and output, and whose tools write to them too. */

const double = defineTool({
  name: 'double',
  description: 'Doubles a number.',
  input: z.object({ n: z.number() }),
  output: z.object({ doubled: z.number() }),
  effects: 'none',
  run: ({ n }) => {
    console.log('noise');
    process.stdout.write('more noise\n');
    return { doubled: n * 2 };
  },
});
const work = defineTool({
  name: 'work',
  description: 'Takes its time.',
  input: z.object({ ms: z.number() }),
  effects: 'none',
  run: ({ ms }, { signal, progress }) =>
    new Promise((resolve, reject) => {
      progress({ done: 1, total: 2 });
      const timer = setTimeout(resolve, ms, 'worked');
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        console.error('work was stopped');
        reject(signal.reason as Error);
      });
    }),
});
const send = defineTool({ name: 'send', description: 'Sends.', approval: true, run: () => 'sent' });
const crawl = defineTool({
  name: 'crawl',
  description: 'Goes on after its answer.',
  effects: 'none',
  deferAfterMs: 1,
  run: () => new Promise<string>((resolve) => setTimeout(resolve, 100, 'crawled')),
});
const store = memoryStore();
const toolbox = createToolbox([double, work, send, crawl], { store, report: () => undefined });
const [, , drainMs = '2000', approvals = 'deciders'] = process.argv;
await serveStdio(toolbox, { name: 'worker', version: '1.0.0', drainMs: Number(drainMs), approvals: approvals as 'deciders' | 'never' })
  .closed;
console.error('closed');
