import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type ApiError, caller, isAway, readForCaller } from '../api/ask-server.ts';
import { connected } from './connection.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** The server's answer to a component's request. */
export interface Answer<T> {
  readonly value?: T;
  readonly error?: ApiError;
  /** The path that was asked for; while another is asked for, the answer is that of before. */
  readonly path?: string;
}

/**
 * Asks for a path while a component is shown, and again after each connection, and when `version` changes; then an answer that is under way is
 * waited for, so that it arrives however often the version changes. Asks for nothing without a path.
 */
export function useAnswer<T>(path: string | undefined, version: unknown = 0): Signal<Answer<T>> {
  const answer = useSignal<Answer<T>>({});
  const asked = useRef({ version, again: (): unknown => undefined });
  useEffect(() => {
    answer.value = {};
  }, [caller.value]);
  useEffect(() => {
    if (path === undefined) {
      answer.value = {};
      return;
    }
    const stop = new AbortController();
    const ask = oneAtATime(async () => {
      if (stop.signal.aborted) return;
      const read = await readForCaller<T>(path, { signal: stop.signal });
      if (read === undefined || stop.signal.aborted) return;
      // Keep the last answer on the page while the server or its store is away.
      const isKept = read.error !== undefined && isAway(read.error) && answer.peek().path === path && answer.peek().value !== undefined;
      if (!isKept) answer.value = { ...read, path };
    });
    asked.current = { version, again: ask };
    void ask();
    return () => stop.abort();
  }, [path, connected.value, caller.value]);
  useEffect(() => {
    if (asked.current.version === version) return;
    asked.current.version = version;
    asked.current.again();
  }, [version]);
  return answer;
}
