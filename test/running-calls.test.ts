import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { memoryStore } from '../src/parts/stores/memory.ts';
import { sqliteStore } from '../src/parts/stores/sqlite.ts';
import { checkRunningCalls } from './running-calls-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'toolpact-running-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

checkRunningCalls('memory', () => memoryStore());
checkRunningCalls('SQLite', () => sqliteStore({ path: join(folder, `${randomUUID()}.db`), durability: 'normal' }));
