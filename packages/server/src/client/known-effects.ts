import type { Effects, ListedTool, Outcome } from 'toolpact';
import { toNameKey } from 'toolpact/internal';
import type { RequestOptions } from './client.ts';

/** The effects of a server's tools, as the server lists them. */
export interface KnownEffects {
  readonly remember: (tools: readonly Pick<ListedTool, 'name' | 'effects'>[]) => void;
  /** Returns the effects of a tool, and asks the server once if they are not known yet; undefined if the server does not say. */
  readonly find: (tool: string, options: RequestOptions) => Promise<Effects | undefined>;
}

/** Keeps what is known about tools, for all clients of one server. */
export function createKnownEffects(list: (options: RequestOptions) => Promise<Outcome<ListedTool[]>>): KnownEffects {
  const known = new Map<string, Effects>();
  // A name may be spelled in several ways; two tools with the same spelling cannot be distinguished.
  const remember: KnownEffects['remember'] = (tools) => {
    for (const { name, effects } of tools) known.set(toNameKey(name), effects);
  };
  return {
    remember,
    async find(tool, options) {
      const key = toNameKey(tool);
      if (!known.has(key) && (options.timeoutMs ?? 1) > 0) {
        const listed = await list(options);
        if (listed.status === 'ok') remember(listed.data);
      }
      return known.get(key);
    },
  };
}
