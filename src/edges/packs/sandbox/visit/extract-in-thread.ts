import { Worker } from 'node:worker_threads';
import { fail } from '../../../../core/outcome/index.ts';
import { loadPeer } from '../load-peer.ts';
import type { Article } from './extract-article.ts';

/** How much one page may cost. */
export interface ExtractLimits {
  /** @default 10_000 */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

// The thread runs the file as it lies there: the source, or what was built from it.
const file = new URL(`./extract-article${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

const mostThreads = 4;
const idleMs = 30_000;
let busy = 0;
const waiting = new Set<() => void>();
const idle: Worker[] = [];

/** Finds what a page is about without holding up anything else. Where finding the article takes too long, all of the text is given; a page that cannot even be parsed in time is a failure of that page alone. */
export async function extractInThread(html: string, { timeoutMs = 10_000, signal }: ExtractLimits = {}): Promise<Article> {
  // A thread could only say that a module is missing; here that is said with what to do about it.
  await Promise.all([loadPeer('linkedom'), loadPeer('@mozilla/readability')]);
  await takeTurn(signal);
  try {
    return await runThread(html, timeoutMs, signal);
  } finally {
    passTurn();
  }
}

async function runThread(html: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<Article> {
  const thread = idle.pop() ?? startThread();
  let best: Article | undefined;
  let isDone = false;
  let leave = (): void => undefined;
  try {
    const cause = await new Promise<unknown>((resolve, reject) => {
      const hear = (found: Article | 'done'): void => {
        if (found !== 'done') best = found;
        isDone = found === 'done';
        if (isDone) resolve(undefined);
      };
      const stop = (): void => reject(signal?.reason);
      const timer = setTimeout(resolve, timeoutMs);
      signal?.addEventListener('abort', stop, { once: true });
      thread.on('message', hear).on('error', resolve).on('exit', resolve);
      leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        thread.off('message', hear).off('error', resolve).off('exit', resolve);
      };
      thread.ref();
      thread.postMessage(html);
    });
    if (best !== undefined) return best;
    throw fail('bad_response', 'The page could not be read: parsing it failed or took too long.', { code: 'crawling_error', cause });
  } finally {
    leave();
    if (isDone) keep(thread);
    else await thread.terminate();
  }
}

function startThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: 256 };
  const thread = new Worker(file, { workerData: 'extract-article', resourceLimits, stderr: true, stdout: true });
  // A caller that waits gets the error; the error of an idle thread must not end the process.
  return thread.on('error', () => undefined).on('exit', () => forget(thread));
}

/** Lets a thread read the next page too, because starting one costs more than most pages do. It keeps no process alive. */
function keep(thread: Worker): void {
  thread.unref();
  idle.push(thread);
  setTimeout(() => forget(thread) && void thread.terminate(), idleMs).unref();
}

function forget(thread: Worker): boolean {
  const at = idle.indexOf(thread);
  if (at >= 0) idle.splice(at, 1);
  return at >= 0;
}

/** Waits until there are few enough at work, no longer than the signal allows. */
async function takeTurn(signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  if (busy < mostThreads) {
    busy += 1;
    return;
  }
  await new Promise<void>((resolve, reject) => {
    const stop = (): void => {
      waiting.delete(go);
      reject(signal?.reason);
    };
    const go = (): void => {
      signal?.removeEventListener('abort', stop);
      resolve();
    };
    waiting.add(go);
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/** Gives the turn to the caller that has waited longest. */
function passTurn(): void {
  const [next] = waiting;
  if (next === undefined) busy -= 1;
  else {
    waiting.delete(next);
    next();
  }
}
