import { expect, test } from 'vitest';
import type { PgPool } from './pg-pool.ts';
import { createPgSession } from './pg-session.ts';

test.each([
  ['a row that is in the way', '23505', undefined],
  ['a statement that is refused', '42P01', undefined],
  ['a server that takes no connections', 'ECONNREFUSED', { code: 'ECONNREFUSED' }],
  ['a server that shuts down', '57P01', { code: '57P01' }],
])('of %s says what keeps the server from being reached', async (_, code, trouble) => {
  const pool = { query: async () => Promise.reject(Object.assign(new Error('no'), { code })) };
  const session = createPgSession(async () => pool as unknown as PgPool, 0);
  await expect(session.query({ text: 'SELECT 1' })).rejects.toMatchObject({ code });
  if (trouble === undefined) expect(session.trouble()).toBeUndefined();
  else expect(session.trouble()).toMatchObject(trouble);
});
