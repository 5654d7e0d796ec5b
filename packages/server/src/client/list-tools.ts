import type { ListedTool, Outcome } from 'toolpact';
import type { Ask } from './ask.ts';
import type { RequestOptions } from './client.ts';

interface Page {
  readonly tools: readonly ListedTool[];
  readonly next?: number;
}

const pageSize = 1_000;
const maxPages = 100;

/** Lists all tools of a server, page by page. */
export async function listTools(ask: Ask, options: RequestOptions): Promise<Outcome<ListedTool[]>> {
  const tools: ListedTool[] = [];
  let offset = 0;
  for (let pages = 1; ; pages += 1) {
    const page = (await ask({
      method: 'GET',
      path: `/v1/tools?limit=${pageSize}&offset=${offset}`,
      effects: 'none',
      plain: readPage,
      options,
    })) as Outcome<Page>;
    if (page.status !== 'ok') return page as Outcome<ListedTool[]>;
    tools.push(...page.data.tools);
    const { next } = page.data;
    if (next === undefined || !(next > offset) || pages >= maxPages) return Object.freeze({ ...page, data: tools });
    offset = next;
  }
}

/** Reads how a server describes one tool. */
export function readListedTool(ask: Ask, name: string, options: RequestOptions): Promise<Outcome> {
  const path = `/v1/tools/${encodeURIComponent(String(name).toWellFormed())}/schema`;
  return ask({ method: 'GET', path, effects: 'none', plain: (json) => (isListed(json) ? readEffects(json) : undefined), options });
}

function readPage(json: unknown): Page | undefined {
  const { tools, next } = (json ?? {}) as { readonly tools?: unknown; readonly next?: unknown };
  if (!Array.isArray(tools) || !tools.every(isListed)) return undefined;
  return { tools: tools.map(readEffects), ...(typeof next === 'number' && { next }) };
}

function isListed(json: unknown): json is ListedTool {
  const { name, effects, inputSchema } = (json ?? {}) as Partial<Record<keyof ListedTool, unknown>>;
  return typeof name === 'string' && typeof effects === 'string' && typeof inputSchema === 'object';
}

/** A newer server may know more effects than these; a tool with such an effect is never treated as harmless. */
function readEffects(tool: ListedTool): ListedTool {
  return ['none', 'idempotent', 'writes'].includes(tool.effects) ? tool : { ...tool, effects: 'writes' };
}
