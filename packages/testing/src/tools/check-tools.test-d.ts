import { createToolbox, defineTool } from 'toolpact';
import { memoryStore } from 'toolpact/stores/memory';
import { z } from 'zod';
import { lockTools } from '../lock/lock-tools.ts';
import { checkTools } from './check-tools.ts';

// Any toolbox can be judged as it is: with typed tools, with guards, bound to a context, with an application of its own.

const plain = defineTool({ name: 'plain', description: 'x', input: z.object({ a: z.string() }), run: ({ a }) => a });
const keyed = defineTool({ name: 'keyed', description: 'x', idempotency: {}, run: () => 1 });
const withApp = defineTool.withContext<{ readonly db: string }>()({ name: 'with_app', description: 'x', run: (_, { app }) => app.db });

void checkTools(createToolbox([plain]));
void checkTools(createToolbox([keyed], { store: memoryStore() }), { allowWrites: true, only: ['keyed'] });
void checkTools(createToolbox([plain]).with({ tenantId: 'acme' }), { fakes: { plain: () => 'y' } });
void checkTools(createToolbox([withApp]).with({ app: { db: 'x' } }));
void checkTools(createToolbox([withApp]), { context: { app: { db: 'x' }, tenantId: 'acme' } });
void lockTools(createToolbox([plain, keyed]));

// @ts-expect-error something that cannot answer is no subject
void checkTools({ list: () => [] });
// @ts-expect-error a seed is a number
void checkTools(createToolbox([plain]), { seed: 'x' });
