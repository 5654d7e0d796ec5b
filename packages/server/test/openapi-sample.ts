import { createResources, createToolbox, defineResource, defineTool } from 'toolpact';
import { spill } from 'toolpact/guards';
import { memoryStore } from 'toolpact/stores/memory';
import { z } from 'zod';
import type { ServedToolbox } from '../src/index.ts';
import { sampleTools } from './sample-tools.ts';

interface Branch {
  readonly name: string;
  readonly children: readonly Branch[];
}
const branch: z.ZodType<Branch, Branch> = z.object({
  name: z.string().describe('What it is called.'),
  get children() {
    return z.array(branch);
  },
});

/** Has a schema that refers to itself, failures of its own, and a description that tries to be more than text. */
export const walk = defineTool({
  name: 'tree:walk',
  description: 'Walks a tree. <img src=x onerror="document.title=\'broken in\'"><script>document.title = "broken in"</script>',
  input: z.object({ root: branch, depth: z.number().int().min(1).max(9).default(3) }),
  output: z.object({ root: branch, count: z.number().int() }),
  effects: 'idempotent',
  failures: { too_deep: 'conflict', no_leaf: 'not_found' },
  examples: [
    { input: { root: { name: 'a', children: [{ name: 'b', children: [] }] } }, output: { root: { name: 'a', children: [] }, count: 2 } },
  ],
  run: ({ root, depth }, { fail }) => (depth === 9 ? fail('too_deep', 'It is too deep.') : { root, count: 1 + root.children.length }),
});

/** A toolbox that can do everything a server describes. */
export function sampleToolbox(): ServedToolbox {
  const store = memoryStore();
  return createToolbox([...sampleTools, walk], {
    report: () => {},
    resources: createResources([defineResource({ type: 'browser', open: () => ({}) })]),
    store,
    use: [spill({ store })],
  });
}
