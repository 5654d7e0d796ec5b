import { fromJsonSchema } from '@toolpact/openapi';
import { defineTool, ok, partial } from 'toolpact';
import { distanceKm, type Place } from './distance.ts';
import { echoed } from './echoed.ts';
import type { Geocode, Station } from './geocode.ts';
import type { LoadWorks, Work } from './load-works.ts';
import { notedContent } from './noted-content.ts';

/** An anime with places near a station. */
export interface NearbyBangumi {
  readonly id: string;
  readonly title: string;
  readonly cn_title: string | null;
  readonly cover_url: string | null;
  /** How many of its points lie within the radius. */
  readonly points_count: number;
  /** To the nearest of them. */
  readonly distance_km: number;
}

/** The anime around a station, which is null only where the call failed. */
export interface NearbyWorks {
  readonly station: Station | null;
  readonly bangumi_list: readonly NearbyBangumi[];
  readonly radius_km: number;
}

const textOrNull = { type: ['string', 'null'] };
const usualRadiusKm = 5;

/** Creates the tool that finds the anime with places near a station. */
export function searchAnitabiBangumiNearStation(geocode: Geocode, loadWorks: LoadWorks) {
  return defineTool({
    name: 'search_anitabi_bangumi_near_station',
    description: 'Finds anime that have real places near a Japanese railway station, nearest first.',
    input: fromJsonSchema<{ readonly station_name: string; readonly radius_km?: number }>({
      type: 'object',
      properties: {
        station_name: { type: 'string', minLength: 1, maxLength: 60, pattern: '\\S', description: 'Best in Japanese: 宇治駅.' },
        radius_km: { type: 'number', minimum: 1, maximum: 20, default: usualRadiusKm, description: 'How far around the station to look.' },
      },
      required: ['station_name'],
      additionalProperties: false,
    }),
    output: fromJsonSchema<NearbyWorks>({
      type: 'object',
      properties: {
        station: {
          type: ['object', 'null'],
          properties: {
            name: { type: 'string' },
            lat: { type: 'number' },
            lng: { type: 'number' },
            city: textOrNull,
            prefecture: textOrNull,
          },
          required: ['name', 'lat', 'lng', 'city', 'prefecture'],
        },
        bangumi_list: {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              id: { type: 'string' },
              title: { type: 'string' },
              cn_title: textOrNull,
              cover_url: textOrNull,
              points_count: { type: 'integer', minimum: 1 },
              distance_km: { type: 'number', minimum: 0 },
            },
            required: ['id', 'title', 'cn_title', 'cover_url', 'points_count', 'distance_km'],
          },
        },
        radius_km: { type: 'number' },
      },
      required: ['station', 'bangumi_list', 'radius_km'],
    }),
    effects: 'none',
    timeoutMs: 60_000,
    echoInput: false,
    failures: { no_such_station: 'not_found' },
    onFailure: (input) => ({ station: null, bangumi_list: [], radius_km: echoed(input, 'radius_km', usualRadiusKm) }),
    examples: [{ input: { station_name: '宇治駅', radius_km: 3 } }],
    async run({ station_name, radius_km = usualRadiusKm }, call) {
      const station = await geocode(station_name, call);
      if (station === undefined) {
        return call.fail('no_such_station', `No railway station in Japan is called ${station_name}. Check the name, best in Japanese.`);
      }
      const isNear = (places: readonly Place[]): boolean => places.some((place) => distanceKm(station, place) <= radius_km);
      const { works, looked, failed, warnings } = await loadWorks(isNear, call);
      const bangumi_list = works.map((work) => toNearby(work, station, radius_km)).sort(byDistance);
      const data = { station, bangumi_list, radius_km };
      const noted = notedContent(data, warnings);
      if (failed.length === 0) return ok(data, { ...noted, warnings, empty: bangumi_list.length === 0 });
      const total = looked + failed.length;
      const message = `${failed.length} of ${total} works could not be looked at, so some that are near may be missing`;
      return partial(data, failed, { ...noted, warnings, total, message });
    },
  });
}

function toNearby({ places, ...work }: Work, station: Place, radiusKm: number): NearbyBangumi {
  const distances = places.map((place) => distanceKm(station, place)).filter((distance) => distance <= radiusKm);
  // Metres are as good as the positions are.
  const distance_km = Math.round(distances.reduce((least, distance) => Math.min(least, distance)) * 1000) / 1000;
  return { ...work, points_count: distances.length, distance_km };
}

function byDistance(a: NearbyBangumi, b: NearbyBangumi): number {
  return a.distance_km - b.distance_km || b.points_count - a.points_count || Number(a.id) - Number(b.id);
}
