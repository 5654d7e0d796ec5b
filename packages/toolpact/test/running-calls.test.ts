import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { checkRunningCalls } from '../../../proofs/fixtures/running-calls-cases.ts';
import { memoryStore } from '../src/stores/memory.ts';
import { sqliteStore } from '../src/stores/sqlite.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-running-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

checkRunningCalls('memory', () => memoryStore());
checkRunningCalls('SQLite', () => sqliteStore({ path: join(folder, `${randomUUID()}.db`), durability: 'normal' }));
