import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { usePostgres } from '../../../../proofs/fixtures/use-postgres.ts';
import { createCallFeed } from '../../src/calls/read/call-feed.ts';
import { noTenant } from '../../src/contract/index.ts';
import { defineTool } from '../../src/runtime/index.ts';
import { createToolbox } from '../../src/toolbox/index.ts';
import { openStore, type StoreAddress } from './open-store.ts';

const { folder, connectionString } = usePostgres('followed-calls');

test.each<[string, () => StoreAddress]>([
  ['SQLite', () => ({ path: join(folder, `${randomUUID()}.db`) })],
  ['PostgreSQL', () => ({ connectionString: connectionString(), schema: `s_${randomUUID()}` })],
])('who follows the calls of %s hears of those of another process as they begin, report and end', async (_, addressOf) => {
  const address = addressOf();
  const [theirs, ours] = [openStore(address), openStore(address)];
  const reported = Promise.withResolvers<void>();
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    effects: 'none',
    async run(_input, { progress }) {
      progress({ message: 'half' });
      await reported.promise;
      return 'done';
    },
  });
  const feed = createCallFeed({ store: ours, tenant: noTenant });
  onTestFinished(async () => {
    feed.close();
    await Promise.all([theirs.close(), ours.close()]);
  });
  await feed.look();
  const call = createToolbox([work], { store: theirs, report: () => undefined }).call('work', {});
  const heard: string[] = [];
  while (heard.at(-1) !== 'ok') {
    const { changed, moved } = await feed.look();
    heard.push(...changed.map(({ status }) => status), ...moved.map(({ progress }) => progress?.message ?? ''));
    if (heard.includes('half')) reported.resolve();
    await feed.next(AbortSignal.any([]));
  }
  expect(heard).toEqual(['running', 'half', 'ok']);
  expect(await call).toMatchObject({ status: 'ok' });
});
