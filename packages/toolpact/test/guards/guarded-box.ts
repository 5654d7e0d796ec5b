import { approvals, cache, circuitBreaker, defer, idempotency, journal, spill } from '../../src/guards/index.ts';
import { createToolbox, defineTool, pending, type StandardSchemaV1 } from '../../src/index.ts';
import type { Store } from '../../src/ports/index.ts';

/** The moment at which everything happens; records of the past are older, and what lives on expires later. */
export const moment = 1_800_000_000_000;
export const now = () => moment;

/** Written by hand, because approvals are bound to the exported schema, which a library may change. */
const input: StandardSchemaV1<{ id: string }, { id: string }> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as { id: string } }) },
};
const jsonSchema = { input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } } as const;

/** Opens a toolbox with one tool for each thing that guards store. */
export function openBox(store: Store) {
  const ran: string[] = [];
  const common = { description: 'Acts.', input, jsonSchema };
  const note =
    <TResult>(result: TResult) =>
    ({ id }: { id: string }): TResult => {
      ran.push(id);
      return result;
    };
  const keyed = { idempotency: { key: ({ id }: { id: string }) => id } };
  const tools = [
    defineTool({ ...common, ...keyed, name: 'pay', run: note('paid') }),
    defineTool({
      ...common,
      ...keyed,
      name: 'transfer',
      reconcile: ({ id }) => ({ effect: 'applied', data: `found ${id}` }),
      run: note('transferred'),
    }),
    defineTool({ ...common, ...keyed, name: 'upload', effects: 'idempotent', run: note('uploaded') }),
    defineTool({ ...common, name: 'post', run: note('posted') }),
    defineTool({ ...common, name: 'send', approval: true, run: note('sent') }),
    defineTool({ ...common, name: 'build', run: ({ id }) => note(pending({ handle: `build-${id}`, reason: 'running' }))({ id }) }),
    defineTool({
      ...common,
      name: 'list',
      effects: 'none',
      maxResultChars: 200,
      run: note(Array.from({ length: 100 }, (_, row) => `row ${row}`)),
    }),
    defineTool({ ...common, name: 'look_up', effects: 'none', cache: { ttlMs: 60_000 }, run: note('looked up') }),
    defineTool({ ...common, name: 'ping', effects: 'none', run: note('pong') }),
  ] as const;
  const toolbox = createToolbox(tools, {
    use: [
      journal({ store, now }),
      idempotency({ store, now, leaseMs: 1000 }),
      approvals({ store, now }),
      defer({ store, now }),
      spill({ store, now }),
      cache({ store, now }),
      circuitBreaker({ store, now }),
    ],
    report: () => undefined,
  });
  return { toolbox, ran };
}
