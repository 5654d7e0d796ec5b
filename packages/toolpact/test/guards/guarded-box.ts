import { circuitBreaker, spill } from '../../src/guards/public.ts';
import { createToolbox, defineTool, type StandardSchemaV1 } from '../../src/index.ts';
import type { Store } from '../../src/ports/index.ts';

/** The moment at which everything happens; records of the past are older, and what lives on expires later. */
export const moment = 1_800_000_000_000;
export const now = () => moment;

/** Written by hand, because a library may change the schema that it exports. */
const input: StandardSchemaV1<{ id: string }, { id: string }> = {
  '~standard': { version: 1, vendor: 'test', validate: (value) => ({ value: value as { id: string } }) },
};
const jsonSchema = { input: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] } } as const;

/** Opens a toolbox with one tool for each thing that is stored beside calls. */
export function openBox(store: Store) {
  const ran: string[] = [];
  const common = { description: 'Acts.', effects: 'none', input, jsonSchema } as const;
  const note =
    <TResult>(result: TResult) =>
    ({ id }: { id: string }): TResult => {
      ran.push(id);
      return result;
    };
  const tools = [
    defineTool({
      ...common,
      name: 'list',
      maxResultChars: 200,
      run: note(Array.from({ length: 100 }, (_, row) => `row ${row}`)),
    }),
    defineTool({ ...common, name: 'look_up', cache: { ttlMs: 60_000 }, run: note('looked up') }),
    defineTool({ ...common, name: 'ping', run: note('pong') }),
  ] as const;
  const toolbox = createToolbox(tools, {
    store,
    use: [spill({ store }), circuitBreaker({ store, now })],
    report: () => undefined,
  });
  return { toolbox, ran };
}
