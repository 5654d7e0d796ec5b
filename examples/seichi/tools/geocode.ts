import { fail } from 'toolpact';
import { toPlace } from './distance.ts';
import { isObject } from './parse-subjects.ts';
import type { AskingCall, Upstream } from './upstream.ts';

/** A station and where it is. */
export interface Station {
  readonly name: string;
  readonly lat: number;
  readonly lng: number;
  readonly city: string | null;
  readonly prefecture: string | null;
}

/** Finds a station by its name; undefined when there is none. Give one of your own to use any other service. */
export type Geocode = (stationName: string, call: AskingCall) => Promise<Station | undefined>;

/** Which interface a geocoding service speaks. */
export type GeocoderKind = 'nominatim' | 'gsi';

/** How each kind of service is asked, and how its answer is read. */
export const geocoders: Readonly<Record<GeocoderKind, (service: Upstream) => Geocode>> = {
  nominatim: (service) => async (stationName, call) => {
    const query = new URLSearchParams({
      q: toQuery(stationName),
      format: 'jsonv2',
      addressdetails: '1',
      limit: '10',
      countrycodes: 'jp',
      'accept-language': 'ja',
    });
    const { json } = await service.get(`/search?${query}`, call);
    const found = listOf(service, json).filter(isObject);
    // The square, the bus stop and the shop of the same name are found too.
    const isRailway = (item: Fields): boolean => (item.category ?? item.class) === 'railway' && /station|halt|stop/.test(String(item.type));
    const best = found.find(isRailway) ?? found.find((item) => item.type === 'station' || item.addresstype === 'railway');
    if (best === undefined) return undefined;
    const place = toPlace(best.lat, best.lon);
    if (place === undefined) throw fail('bad_response', `${service.name} answered without a position.`);
    const address: Fields = isObject(best.address) ? best.address : {};
    return {
      name: firstText(best.name) ?? stationName,
      ...place,
      city: firstText(address.city, address.town, address.village, address.municipality, address.county),
      prefecture: firstText(address.province, address.state, address.prefecture),
    };
  },
  gsi: (service) => async (stationName, call) => {
    const query = toQuery(stationName);
    const { json } = await service.get(`/address-search/AddressSearch?${new URLSearchParams({ q: query })}`, call);
    const found = listOf(service, json).flatMap((item) => {
      const { geometry, properties }: Fields = isObject(item) ? item : {};
      const at: unknown = isObject(geometry) ? geometry.coordinates : undefined;
      const title = isObject(properties) ? firstText(properties.title) : null;
      // It finds every address in which some part of the name occurs.
      const place = Array.isArray(at) && title?.endsWith(query) === true ? toPlace(at[1], at[0]) : undefined;
      return place === undefined || title === null ? [] : { title, place };
    });
    const best = found[0];
    if (best === undefined) return undefined;
    const [, prefecture = null, city = null] = /^(.{2,3}?[都道府県])?(.+?[市区町村])?/.exec(best.title) ?? [];
    return { name: query, ...best.place, city, prefecture };
  },
};

type Fields = { readonly [key: string]: unknown };

function listOf(service: Upstream, json: unknown): readonly unknown[] {
  if (Array.isArray(json)) return json;
  throw fail('bad_response', `${service.name} answered without a list of places.`);
}

/** Marks a name as that of a station: 宇治 is a town, 宇治駅 is not. */
function toQuery(stationName: string): string {
  const name = stationName.trim();
  if (/駅$|station$/i.test(name)) return name;
  return /[^\p{Script=Latin}\p{P}\p{Zs}\d]/u.test(name) ? `${name}駅` : `${name} Station`;
}

function firstText(...values: unknown[]): string | null {
  return values.find((value): value is string => typeof value === 'string' && value !== '') ?? null;
}
