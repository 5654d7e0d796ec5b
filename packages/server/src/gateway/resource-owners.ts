import { isRecord } from 'toolpact/internal';
import type { Upstream } from './upstream.ts';

/** Which server behind the gateway has the resource of an address. */
export interface ResourceOwners {
  /** Notes what a server lists, a resource or a template of some. */
  readonly note: (server: Upstream, item: Readonly<Record<string, unknown>>) => void;
  /** Notes the addresses in the result of a tool: they need not be in the list. */
  readonly noteLinks: (server: Upstream, result: unknown) => void;
  /** Returns the server of an address; undefined where none has shown it. The lists are read for one that is not known yet. */
  readonly find: (uri: string) => Promise<Upstream | undefined>;
  /** Forgets what a server has listed. */
  readonly forget: (server: Upstream) => void;
}

const mostAddresses = 100_000;
/** The lists of a server that take longer, or have more pages, are read no further. */
const readMs = 10_000;
const mostPages = 100;

/**
 * Creates what knows the servers of addresses. A server is asked for those addresses only that it has shown: others may say more than it should know,
 * and it could answer in another server's place. With one server all are its own.
 */
export function createResourceOwners(upstreams: readonly Upstream[], having: () => readonly Upstream[]): ResourceOwners {
  const listed = new Map<string, Upstream>();
  /** The beginnings of templates, up to the first place to fill. */
  const beginnings = new Map<string, Upstream>();
  const linked = new Map<string, Upstream>();
  const readings = new Map<Upstream, Promise<void>>();

  function keep(owners: Map<string, Upstream>, key: unknown, server: Upstream): void {
    // The first counts, so that no server takes over what another one has.
    if (typeof key === 'string' && !owners.has(key) && owners.size < mostAddresses) owners.set(key, server);
  }

  function note(server: Upstream, { uri, uriTemplate }: Readonly<Record<string, unknown>>): void {
    keep(listed, uri, server);
    const [beginning = ''] = typeof uriTemplate === 'string' ? uriTemplate.split('{') : [];
    // Without a scheme it would be the beginning of everything.
    if (beginning.includes(':')) keep(beginnings, beginning, server);
  }

  function ownerOf(uri: string): Upstream | undefined {
    const known = listed.get(uri);
    if (known !== undefined) return known;
    const fitting = [...beginnings.keys()].filter((beginning) => uri.startsWith(beginning)).sort((a, b) => b.length - a.length);
    return beginnings.get(fitting[0] ?? '') ?? linked.get(uri);
  }

  async function readLists(server: Upstream): Promise<void> {
    const signal = AbortSignal.timeout(readMs);
    for (const [method, field] of Object.entries({ 'resources/templates/list': 'resourceTemplates', 'resources/list': 'resources' })) {
      let cursor: unknown;
      for (let page = 0; page < mostPages; page += 1) {
        const read = await server.request(method, cursor === undefined ? {} : { cursor }, { signal }).catch(() => undefined);
        if (!isRecord(read) || !Array.isArray(read[field])) break;
        for (const item of read[field]) if (isRecord(item)) note(server, item);
        cursor = read.nextCursor;
        if (typeof cursor !== 'string' || cursor === '') break;
      }
    }
  }

  /** Whoever asks meanwhile waits for the same reading. */
  function readOnce(server: Upstream): Promise<void> {
    const reading = readings.get(server) ?? readLists(server).finally(() => readings.delete(server));
    readings.set(server, reading);
    return reading;
  }

  return {
    note,
    noteLinks(server, result) {
      const content = isRecord(result) && Array.isArray(result.content) ? result.content : [];
      for (const part of content) if (isRecord(part) && part.type === 'resource_link') keep(linked, part.uri, server);
    },
    async find(uri) {
      const [only, ...others] = upstreams;
      if (others.length === 0) return only;
      const known = ownerOf(uri);
      if (known !== undefined) return known;
      await Promise.all(having().map(readOnce));
      return ownerOf(uri);
    },
    forget(server) {
      for (const owners of [listed, beginnings]) for (const [key, owner] of owners) if (owner === server) owners.delete(key);
    },
  };
}
