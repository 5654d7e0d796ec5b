import { z } from 'zod';

// The one tool that every contestant calls: small but real, with a default, a bound and a list in its result.

export const name = 'search_stations';
export const description = 'Searches railway stations by name.';

export const input = z.object({
  query: z.string().trim().min(1),
  region: z.enum(['kanto', 'kansai', 'tohoku']),
  limit: z.number().int().min(1).max(50).default(10),
});

export const output = z.object({
  total: z.number().int(),
  stations: z.array(z.object({ id: z.string(), name: z.string(), line: z.string(), minutes: z.number().int() })),
});

export type Search = z.output<typeof input>;
export type Found = z.output<typeof output>;

export const args = { query: 'Uji', region: 'kansai', limit: 3 } as const;
export const argsText = JSON.stringify(args);
export const invalidArgs = { query: 'Uji', region: 'mars', limit: 0 };

export async function search({ query, region, limit }: Search): Promise<Found> {
  const stations = [
    { id: `${region}-1`, name: query, line: 'Nara', minutes: 4 },
    { id: `${region}-2`, name: `${query} East`, line: 'Keihan', minutes: 12 },
    { id: `${region}-3`, name: `${query} South`, line: 'Nara', minutes: 29 },
  ];
  return { total: stations.length, stations: stations.slice(0, limit) };
}

/** The text that the right answer has in JSON; every contestant is held to it before it is timed. */
export const answerText = JSON.stringify(await search(args));

/** The same tool on a bad day. */
export async function searchBroken({ region }: Search): Promise<Found> {
  throw new Error(`The index of region ${region} has no entries`);
}
