import { fail } from 'toolpact';
import { type Place, toPlace } from './distance.ts';
import { oneLine } from './one-line.ts';
import { isObject } from './parse-subjects.ts';

/** A place that appears in an anime. */
export interface Point {
  readonly id: string;
  readonly name: string;
  readonly cn_name: string | null;
  readonly lat: number;
  readonly lng: number;
  /** A number, or what stands in its place: `OP`, `ED`, `SP1`, … */
  readonly episode: number | string | null;
  readonly time_seconds: number | null;
  readonly screenshot_url: string | null;
  readonly address: string | null;
}

/** Points, and what was left out on the way. */
export interface ParsedPoints {
  readonly points: Point[];
  readonly total: number;
  readonly warnings: string[];
}

/**
 * Reads Anitabi's points in each of the shapes it has used, sorted by episode and second. An item that cannot be placed is left out and
 * told, one line per reason; everything else is kept as it is.
 */
export function parsePoints(json: unknown, imageBase: string): ParsedPoints {
  const list = Array.isArray(json) ? json : isObject(json) ? (json.data ?? json.points) : undefined;
  if (!Array.isArray(list)) throw fail('bad_response', 'Anitabi answered without a list of points.');
  const points: Point[] = [];
  const skipped = new Map<string, string[]>();
  for (const [index, item] of list.entries()) {
    const point = toPoint(item, imageBase);
    if (typeof point !== 'string') {
      points.push(point);
      continue;
    }
    const names = skipped.get(point) ?? [];
    names.push(nameOf(item, index));
    skipped.set(point, names);
  }
  const warnings = [...skipped].map(
    ([why, names]) =>
      `${names.length} of ${list.length} points left out, ${why}: ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}`,
  );
  return { points: points.sort(byEpisode), total: list.length, warnings };
}

/** Completes a path on Anitabi's image host to a whole address. */
export function toImageUrl(image: unknown, imageBase: string): string | null {
  if (typeof image !== 'string' || image.trim() === '') return null;
  if (image.startsWith('//')) return `https:${image}`;
  return /^https?:\/\//i.test(image) ? image : `${imageBase}/${image.replace(/^\/+/, '').replace(/^images\//, '')}`;
}

/** Returns the point, or the reason why there is none. */
function toPoint(item: unknown, imageBase: string): Point | string {
  if (!isObject(item)) return 'not an object';
  const id = toText(item.id);
  if (id === null) return 'without an id';
  const place = placeOf(item);
  if (place === undefined) return 'without a usable position';
  const cnName = toText(item.cn);
  return {
    id,
    name: toText(item.name) ?? cnName ?? id,
    cn_name: cnName,
    ...place,
    episode: toNumber(item.ep) ?? toText(item.ep),
    time_seconds: toNumber(item.s) ?? null,
    screenshot_url: toImageUrl(item.image, imageBase),
    address: toText(item.address),
  };
}

function placeOf({ geo, lat, lng }: { readonly [key: string]: unknown }): Place | undefined {
  return Array.isArray(geo) ? toPlace(geo[0], geo[1]) : toPlace(lat, lng);
}

function nameOf(item: unknown, index: number): string {
  const name = isObject(item) ? (toText(item.id) ?? toText(item.name)) : null;
  return name === null ? `item ${index}` : oneLine(name);
}

function toText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : undefined;
}

/** Numbered episodes in their order, then openings, endings and the like by name, then what belongs to none. */
function byEpisode(a: Point, b: Point): number {
  return rank(a) - rank(b) || compare(a.episode, b.episode) || compare(a.time_seconds, b.time_seconds);
}

function rank({ episode }: Point): number {
  return episode === null ? 2 : typeof episode === 'string' ? 1 : 0;
}

function compare(a: number | string | null, b: number | string | null): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return Number(a === null) - Number(b === null);
}
