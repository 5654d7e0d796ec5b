import { defineTool } from 'eve/tools';
import { z } from 'zod';

export default defineTool({
  description: 'Mails that an invoice is being paid.',
  inputSchema: z.object({ invoice: z.string(), amount: z.number() }),
  execute: (order, { callId, session }) => globalThis.clerk.call('mail', order, callId, `${session.id}:${session.turn.id}`),
});
