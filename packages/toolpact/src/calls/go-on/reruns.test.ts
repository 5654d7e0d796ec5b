import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { checkReruns } from '../../../../../proofs/fixtures/rerun-cases.ts';
import { skipTime } from '../../../../../proofs/fixtures/skip-time.ts';
import { memoryStore } from '../../stores/memory.ts';
import { sqliteStore } from '../../stores/sqlite.ts';

skipTime();

const file = join(tmpdir(), `toolpact-reruns-${process.pid}.db`);
afterAll(() => {
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
});

checkReruns('memory', () => memoryStore());
checkReruns('SQLite', () => sqliteStore(file));
