import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads';
import { Tinypool } from 'tinypool';
import { fail } from 'toolpact';
import { type StopTimer, systemClock } from 'toolpact/internal';
import { loadPeer } from '../load-peer.ts';
import type { Article, PageTask } from './extract-article.ts';

/** How much one page may cost. */
export interface ExtractLimits {
  /** @default 10_000 */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

// The thread runs the source, or what was built from it; the code here may have become part of any file of dist.
const own: string = import.meta.url;
const file = own.endsWith('.ts')
  ? new URL(`${own}/../extract-article.ts`)
  : new URL(`${own.slice(0, own.lastIndexOf('/dist/'))}/dist/coded/tools/visit/extract-article.js`);

let pool: Tinypool | undefined;

/** One thread stays: without it the library starts none for pages that wait while all threads are ended. Threads keep no process alive. */
const poolOptions = { minThreads: 1, maxThreads: 4, idleTimeout: 30_000, resourceLimits: { maxOldGenerationSizeMb: 256 } } as const;

/** Finds what a page is about without holding up anything else. Where finding the article takes too long, all of the text is given; a page that cannot even be parsed in time is a failure of that page alone. */
export async function extractInThread(html: string, { timeoutMs = 10_000, signal }: ExtractLimits = {}): Promise<Article> {
  // A thread could only say that a module is missing; here that is said with what to do about it.
  await Promise.all([loadPeer('linkedom'), loadPeer('@mozilla/readability')]);
  signal?.throwIfAborted();
  pool ??= new Tinypool({ filename: file.href, ...poolOptions });
  const { port1: port, port2: found } = new MessageChannel();
  const late = new AbortController();
  let best: Article | undefined;
  let stopTimer: StopTimer | undefined;
  const take = (message: Article | 'begun'): void => {
    if (message === 'begun') stopTimer = systemClock.after(timeoutMs, () => late.abort());
    else best = message;
  };
  port.on('message', take);
  try {
    const task: PageTask = { html, found };
    return await pool.run(task, {
      name: 'extractPage',
      transferList: [found],
      signal: signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]),
    });
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason;
    // The port may still hold results that the thread found before.
    for (let left = receiveMessageOnPort(port); left !== undefined; left = receiveMessageOnPort(port)) take(left.message);
    if (best !== undefined) return best;
    throw fail('bad_response', 'The page could not be read: parsing it failed or took too long.', { code: 'crawling_error', cause });
  } finally {
    stopTimer?.();
    port.close();
  }
}
