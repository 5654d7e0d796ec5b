import { Worker } from 'node:worker_threads';
import { fail } from '../../../core/outcome/index.ts';
import type { Article } from './extract-article.ts';
import { loadPeer } from './load-peer.ts';

/** How much one page may cost. */
export interface ExtractLimits {
  /** @default 10_000 */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

// The thread runs the file as it lies there: the source, or what was built from it.
const file = new URL(`./extract-article${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

const mostThreads = 4;
let threads = 0;
const waiting: (() => void)[] = [];

/** Finds what a page is about without holding up anything else. Where finding the article takes too long, all of the text is given; a page that cannot even be parsed in time is a failure of that page alone. */
export async function extractInThread(html: string, { timeoutMs = 10_000, signal }: ExtractLimits = {}): Promise<Article> {
  // A thread could only say that a module is missing; here that is said with what to do about it.
  await Promise.all([loadPeer('linkedom'), loadPeer('@mozilla/readability')]);
  while (threads >= mostThreads) await new Promise<void>((resolve) => waiting.push(resolve));
  threads += 1;
  try {
    return await runThread(html, timeoutMs, signal);
  } finally {
    threads -= 1;
    waiting.shift()?.();
  }
}

async function runThread(html: string, timeoutMs: number, signal: AbortSignal | undefined): Promise<Article> {
  signal?.throwIfAborted();
  const thread = new Worker(file, { workerData: { html }, resourceLimits: { maxOldGenerationSizeMb: 256 }, stderr: true, stdout: true });
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  try {
    return await new Promise<Article>((resolve, reject) => {
      let best: Article | undefined;
      const settle = (cause?: unknown): void => {
        const message = 'The page could not be read: it is built in a way that costs too much.';
        if (best !== undefined) resolve(best);
        else reject(fail('bad_response', message, { code: 'crawling_error', cause }));
      };
      timer = setTimeout(settle, timeoutMs);
      stop = () => reject(signal?.reason);
      signal?.addEventListener('abort', stop, { once: true });
      thread.on('message', (found: Article | 'done') => {
        if (found === 'done') settle();
        else best = found;
      });
      thread.once('error', settle);
      thread.once('exit', () => settle());
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await thread.terminate();
  }
}
