import { expect, test } from 'vitest';
import { toClient } from './client.ts';

test('a client is gone with the reason of its caller', () => {
  const leaving = new AbortController();
  const [before, stopped] = [toClient(leaving.signal), toClient(leaving.signal)];
  stopped.stop(new Error('stopped'));
  leaving.abort(new Error('gone'));
  const after = toClient(leaving.signal);
  expect([before, stopped, after].map(({ signal }) => signal.reason)).toEqual([new Error('gone'), new Error('stopped'), new Error('gone')]);
});

test('a client that was released does not hear of its caller any more', () => {
  const leaving = new AbortController();
  const released = toClient(leaving.signal);
  released.release();
  leaving.abort();
  expect(released.signal.aborted).toBe(false);
});
