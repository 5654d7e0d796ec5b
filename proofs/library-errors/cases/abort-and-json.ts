import { setTimeout as delay } from 'node:timers/promises';
import { cancelled, casesOf, timeout } from '../error-case.ts';

const unparsable = { kinds: ['bad_response', 'invalid_input'], retryable: false } as const;

export const abortCases = casesOf('AbortSignal', [
  { id: 'abort without a reason', run: () => AbortSignal.abort().throwIfAborted(), expect: cancelled },
  {
    id: 'a deadline',
    run: async () => {
      const signal = AbortSignal.timeout(10);
      await delay(40);
      signal.throwIfAborted();
    },
    expect: timeout,
  },
  {
    id: 'a timer whose signal has a deadline',
    run: () => delay(5_000, undefined, { signal: AbortSignal.timeout(20) }),
    expect: timeout,
  },
  {
    id: 'the first of two signals is the deadline',
    run: () => delay(5_000, undefined, { signal: AbortSignal.any([new AbortController().signal, AbortSignal.timeout(20)]) }),
    expect: timeout,
  },
  {
    id: 'a timer whose caller gives a reason',
    run: () => delay(5_000, undefined, { signal: AbortSignal.abort(new Error('the user closed the window')) }),
    expect: cancelled,
  },
  {
    id: 'a reason that says it was cancelled',
    run: () => AbortSignal.abort(new DOMException('The user pressed stop', 'AbortError')).throwIfAborted(),
    expect: cancelled,
  },
]);

export const jsonCases = casesOf('JSON', [
  { id: 'a text that stops early', run: () => JSON.parse('{"a": [1, 2'), expect: unparsable },
  { id: 'a page instead of JSON', run: () => JSON.parse('<!DOCTYPE html><title>Sign in</title>'), expect: unparsable },
  { id: 'nothing at all', run: () => JSON.parse(''), expect: unparsable },
  {
    id: 'a value that refers to itself',
    run: () => {
      const circle: Record<string, unknown> = {};
      circle.self = circle;
      return JSON.stringify(circle);
    },
    expect: { kinds: ['internal', 'invalid_output'] },
  },
]);
