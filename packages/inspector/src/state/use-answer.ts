import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type ApiError, caller, readForCaller } from '../api/ask-server.ts';
import { connected } from './connection.ts';

/** The server's answer to a component's request. */
export interface Answer<T> {
  readonly value?: T;
  readonly error?: ApiError;
  /** The path that was asked for; while another is asked for, the answer is that of before. */
  readonly path?: string;
}

/** Asks for a path while a component is shown, and again after each connection, and when `version` changes. Asks for nothing without a path. */
export function useAnswer<T>(path: string | undefined, version: unknown = 0): Signal<Answer<T>> {
  const answer = useSignal<Answer<T>>({});
  useEffect(() => {
    answer.value = {};
  }, [caller.value]);
  useEffect(() => {
    if (path === undefined) {
      answer.value = {};
      return;
    }
    const stop = new AbortController();
    void readForCaller<T>(path, { signal: stop.signal }).then((read) => {
      if (read === undefined || stop.signal.aborted) return;
      // Keep the last answer on the page while the server is away.
      const isKept = read.error?.status === 0 && answer.peek().path === path;
      if (!isKept) answer.value = { ...read, path };
    });
    return () => stop.abort();
  }, [path, version, connected.value, caller.value]);
  return answer;
}
