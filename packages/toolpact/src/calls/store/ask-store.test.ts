import { expect, test } from 'vitest';
import { skipTime, takes } from '../../../../../proofs/fixtures/skip-time.ts';
import { ToolpactError } from '../../outcome/index.ts';
import type { GuardedCall, Store } from '../../ports/index.ts';
import { memoryStore } from '../../stores/memory.ts';
import { askFor, askStore } from './ask-store.ts';

skipTime();

const call = () => ({ outcome: undefined, remainingMs: 60_000, attempts: 0 }) as unknown as GuardedCall;
const hangs = () => new Promise<never>(() => undefined);

test('an answer that only looks like a promise is waited for, and one whose `then` throws is a failure', async () => {
  const kept = { then: (give: (value: unknown) => void) => give({ then: (giveInner: (value: string) => void) => giveInner('kept') }) };
  expect(await askStore(() => kept as unknown as Promise<string>)).toEqual({ ok: true, value: 'kept' });
  const thrower = Object.defineProperty({}, 'then', {
    value: () => {
      throw new Error('boom');
    },
  });
  expect(await askStore(() => thrower as Promise<string>)).toMatchObject({ ok: false, cause: new Error('boom') });
});

test('a store that answers after a silence is waited for again', async () => {
  const ask = askFor(call(), memoryStore());
  expect(await ask(hangs)).toMatchObject({ ok: false });
  expect(await ask(async () => 'back')).toEqual({ ok: true, value: 'back' });
  expect(await ask(() => takes(50, 'slow'))).toEqual({ ok: true, value: 'slow' });
});

test('a store that throws at once has failed like one that rejects', async () => {
  const throws = (): Promise<never> => {
    throw new RangeError('at once');
  };
  expect(await askStore(throws)).toMatchObject({ ok: false, cause: new RangeError('at once') });
  expect(await askFor(call(), memoryStore())(throws)).toMatchObject({ ok: false, cause: new RangeError('at once') });
});

test('a store that says what it misses is quoted, so that whoever sets it up reads which line to add', async () => {
  const needsPg = async (): Promise<never> => {
    throw new ToolpactError('missing_package', 'A store with a connectionString needs the package pg: npm install pg', { package: 'pg' });
  };
  expect(await askStore(needsPg)).toMatchObject({
    ok: false,
    why: 'A store with a connectionString needs the package pg: npm install pg',
  });
});

test('a store that fails to say why it is silent is given up in time', async () => {
  const store: Store = {
    ...memoryStore(),
    trouble: () => {
      throw new Error('no idea');
    },
  };
  expect(await askFor(call(), store)(hangs)).toMatchObject({ ok: false, cause: new Error('no idea') });
});
