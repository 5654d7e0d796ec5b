import { describe, expect, test, vi } from 'vitest';
import { createClient } from './client.ts';

describe('the signal of a client', () => {
  test('is an ordinary signal for all who know only such', () => {
    const { signal, stop } = createClient();
    const both = AbortSignal.any([signal]);
    stop(new Error('gone'));
    expect([signal instanceof AbortSignal, signal.aborted, both.aborted, both.reason]).toEqual([true, true, true, new Error('gone')]);
  });

  test('gives its event once to every listener, with itself as `this`', () => {
    const { signal, stop } = createClient();
    const seen: unknown[] = [];
    function remember(this: AbortSignal, { type, target }: Event): void {
      seen.push([type, this === signal, target === signal]);
    }
    signal.addEventListener('abort', remember, { once: true });
    signal.addEventListener('abort', remember);
    stop(new Error('gone'));
    stop(new Error('again'));
    expect(seen).toEqual([['abort', true, true]]);
  });

  test('gives nothing to a listener that was removed', () => {
    const { signal, stop } = createClient();
    const [kept, removed] = [vi.fn(), vi.fn()];
    for (const listener of [kept, removed]) signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', removed);
    stop(new Error('gone'));
    expect([kept.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0]);
  });

  test('takes listeners that are objects, and those that another signal removes', () => {
    const { signal, stop } = createClient();
    const [object, removed] = [{ handleEvent: vi.fn() }, vi.fn()];
    const other = new AbortController();
    signal.addEventListener('abort', object);
    signal.addEventListener('abort', removed, { signal: other.signal });
    other.abort();
    stop(new Error('gone'));
    expect([object.handleEvent.mock.calls.length, removed.mock.calls.length]).toEqual([1, 0]);
  });
});
