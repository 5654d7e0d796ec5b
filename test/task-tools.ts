import { z } from 'zod';
import { defineTool } from '../src/index.ts';

/** The tenants of the callers of tasks. */
export const taskTenants = {
  ann: '11111111-1111-4111-8111-111111111111',
  anns_boss: '11111111-1111-4111-8111-111111111111',
  anns_peer: '11111111-1111-4111-8111-111111111111',
  bob: '22222222-2222-4222-8222-222222222222',
};

/** Makes tools whose calls are MCP tasks: one that ends when the test says so, one that needs an approval, one that asks two questions. */
export function taskTools({ hasProgress = false } = {}) {
  const end = Promise.withResolvers<string>();
  let sent = 0;
  const compute = defineTool({
    name: 'compute',
    description: 'Computes for long.',
    effects: 'none',
    deferAfterMs: 1,
    run: (_, { signal, progress }) => {
      if (hasProgress) progress({ message: 'half', done: 1, total: 2 });
      signal.addEventListener('abort', () => end.reject(signal.reason as Error));
      return end.promise;
    },
  });
  const send = defineTool({
    name: 'send',
    description: 'Sends a letter.',
    input: z.object({ to: z.string() }),
    approval: true,
    run: ({ to }) => {
      sent += 1;
      return { to };
    },
  });
  const plan = defineTool({
    name: 'plan',
    description: 'Plans a journey, and asks for what it needs.',
    steps: true,
    run: async (_, { step, waitFor }) => {
      await step('begin', () => 'begun');
      const [{ colour }, sure] = await Promise.all([
        waitFor('colour', z.object({ colour: z.string() }), { message: 'Which colour?' }),
        waitFor('sure', z.boolean(), { message: 'Sure?' }),
      ]);
      return { colour, sure };
    },
  });
  return { compute, send, plan, end, sent: () => sent };
}
