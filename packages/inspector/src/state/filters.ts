/** Which calls are shown. All of it stands in the address, so that a link shows the same. */
export interface CallFilters {
  /** Calls of one of these tools, that stand in one of these ways, and failed with one of these kinds. */
  readonly tool?: readonly string[];
  readonly status?: readonly string[];
  readonly kind?: readonly string[];
  readonly runId?: string;
  readonly tenantId?: string;
  /** A span before now such as `15m`, or a time. */
  readonly since?: string;
  readonly until?: string;
  readonly text?: string;
}

/** The names of the filters, as they stand in the address and in the query of `v1/calls`. Of the first three, several values may be given. */
const manyNames = ['tool', 'status', 'kind'] as const satisfies readonly (keyof CallFilters)[];
const singleNames = ['runId', 'tenantId', 'since', 'until', 'text'] as const satisfies readonly (keyof CallFilters)[];

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads the filters from the query of an address. */
export function readFilters(query: URLSearchParams): CallFilters {
  const many = manyNames.map((name) => [name, [...new Set(query.getAll(name).filter(Boolean))]] as const);
  const single = singleNames.map((name) => [name, query.get(name) ?? ''] as const);
  return Object.fromEntries([...many, ...single].filter(([, value]) => value.length > 0));
}

/** Writes filters as the query of an address. */
export function writeFilters(filters: CallFilters): string {
  const given = [...manyNames, ...singleNames].flatMap((name) => [filters[name] ?? []].flat().map((value) => [name, value]));
  return new URLSearchParams(given.filter(([, value]) => value !== '')).toString();
}

/** Writes filters as the query of a request; spans before now become times. */
export function toApiQuery(filters: CallFilters, now: number): URLSearchParams {
  const query = new URLSearchParams(writeFilters(filters));
  for (const name of ['since', 'until'] as const) {
    const given = filters[name];
    if (given) query.set(name, String(toTime(given, now)));
  }
  return query;
}

/** Says whether a call that just came in may be shown. Text is left to the server, which also searches arguments and results. */
export function fitsFilters(call: Readonly<Record<string, unknown>>, filters: CallFilters, now: number): boolean {
  const begunAt = Date.parse(String(call.begunAt));
  const { since, until } = filters;
  const isWanted = ([...manyNames, 'runId'] as const).every(
    (name) => !filters[name]?.length || [filters[name]].flat().includes(String(call[name])),
  );
  return isWanted && !(since && begunAt < Number(toTime(since, now))) && !(until && begunAt > Number(toTime(until, now)));
}

function toTime(given: string, now: number): number | string {
  const [, count, unit] = /^(\d+)([mhd])$/.exec(given) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (units[unit] ?? 0);
  const time = /^\d+$/.test(given) ? Number(given) : Date.parse(given);
  return Number.isNaN(time) ? given : time;
}
