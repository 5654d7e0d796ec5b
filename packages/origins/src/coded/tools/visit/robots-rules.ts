import type { SafeFetch } from '@toolpact/openapi';
import { fail } from 'toolpact';
import { untilAborted } from 'toolpact/internal';
import { loadPeer } from '../load-peer.ts';
import { ownRules } from './own-rules.ts';

/** How robots.txt files are read and kept. */
export interface RobotsOptions {
  readonly fetch: SafeFetch;
  /** The name by which sites address us. */
  readonly userAgent: string;
  readonly now: () => number;
}

interface Robots {
  /** The length of the rules, as written. */
  readonly size: number;
  readonly isAllowed: (url: string) => boolean | undefined;
}

interface Kept {
  size: number;
  readonly until: number;
  readonly rules: Promise<Robots | 'closed'>;
}

const keptMs = 3_600_000;
const maxSites = 1_000;
/** Rules that were read take about ten times as much memory as their text. */
const maxKeptChars = 1_000_000;

/**
 * Creates a check that throws where a site's robots.txt does not let us read a page. A site without one is open; one whose robots.txt
 * cannot be had for a fault of its own is closed, as RFC 9309 asks. Each file is kept for an hour.
 */
export function createRobotsCheck({ fetch, userAgent, now }: RobotsOptions): (url: URL, signal: AbortSignal) => Promise<void> {
  const sites = new Map<string, Kept>();
  let chars = 0;
  const forget = (origin: string): void => {
    chars -= sites.get(origin)?.size ?? 0;
    sites.delete(origin);
  };
  const forgetOldest = (): void => {
    const [oldest] = sites.keys();
    if (oldest !== undefined) forget(oldest);
  };

  const rulesOf = (origin: string): Promise<Robots | 'closed'> => {
    const known = sites.get(origin);
    if (known !== undefined && known.until > now()) return known.rules;
    forget(origin);
    if (sites.size >= maxSites) forgetOldest();
    // Without the signal of this call: other calls wait for the same file.
    const rules = load(origin, fetch, userAgent);
    const kept: Kept = { until: now() + keptMs, rules, size: 0 };
    sites.set(origin, kept);
    const isKept = (): boolean => sites.get(origin) === kept;
    rules.then(
      (found) => {
        if (!isKept()) return;
        // A file that could not be read is asked for again next time, not an hour later.
        if (found === 'closed') return forget(origin);
        kept.size = found.size;
        chars += found.size;
        while (chars > maxKeptChars && sites.size > 1) forgetOldest();
      },
      () => isKept() && forget(origin),
    );
    return rules;
  };

  return async (url, signal) => {
    if (url.pathname === '/robots.txt') return;
    const rules = await untilAborted(rulesOf(url.origin), signal);
    if (rules === 'closed')
      throw fail('denied', `The page was not visited: the robots.txt of ${url.host} cannot be read, which closes the site for now.`, {
        code: 'crawling_error',
      });
    if (rules.isAllowed(url.href) === false)
      throw fail('denied', `The page was not visited: the robots.txt of ${url.host} asks not to.`, { code: 'crawling_error' });
  };
}

async function load(origin: string, fetch: SafeFetch, userAgent: string): Promise<Robots | 'closed'> {
  const address = `${origin}/robots.txt`;
  const parse = (await loadPeer<{ default: (url: string, text: string) => Pick<Robots, 'isAllowed'> }>('robots-parser')).default;
  const found = await fetch(address).catch(() => undefined);
  if (found === undefined || found.status >= 500) return 'closed';
  // The library keeps each rule once for every name above it, so that a hostile file could fill all memory: it is only given what counts.
  const rules = found.status < 300 ? ownRules(new TextDecoder().decode(found.body), userAgent) : '';
  if (rules === undefined) return 'closed';
  const parsed = parse(address, `User-agent: *\n${rules}`);
  return { size: rules.length, isAllowed: (url) => parsed.isAllowed(url) };
}
