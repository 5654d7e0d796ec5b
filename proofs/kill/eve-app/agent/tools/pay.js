import { defineTool } from 'eve/tools';
import { z } from 'zod';

export default defineTool({
  description: 'Pays an invoice.',
  inputSchema: z.object({ invoice: z.string(), amount: z.number() }),
  approval: () => globalThis.clerk.asks,
  execute: (order, { callId, session }) => globalThis.clerk.call('pay', order, callId, `${session.id}:${session.turn.id}`),
});
