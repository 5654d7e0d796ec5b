import { classify, fail, type partial } from 'toolpact';
import { type Place, toPlace } from './distance.ts';
import { parsePoints, toImageUrl } from './parse-points.ts';
import { isObject } from './parse-subjects.ts';
import type { AskingCall, Upstream } from './upstream.ts';

/** A work and all places known of it. */
export interface Work {
  readonly id: string;
  readonly title: string;
  readonly cn_title: string | null;
  readonly cover_url: string | null;
  readonly places: readonly Place[];
}

/** The works that are wanted, how many were looked at, which could not be, and what is worth knowing about it. */
export interface LoadedWorks {
  readonly works: readonly Work[];
  readonly looked: number;
  readonly failed: Parameters<typeof partial>[1];
  readonly warnings: readonly string[];
}

/** Looks through works and gives those whose places are wanted. */
export type LoadWorks = (isWanted: (places: readonly Place[]) => boolean, call: AskingCall) => Promise<LoadedWorks>;

/**
 * Loads the points of each work, and the titles of those that are wanted. What Anitabi does not know has no places; what cannot be asked
 * for is told as failed.
 */
export function loadListedWorks(anitabi: Upstream, ids: readonly string[], imageBase: string): LoadWorks {
  async function look(id: string, isWanted: (places: readonly Place[]) => boolean, call: AskingCall): Promise<Looked> {
    try {
      const detail = await unlessMissing(anitabi.get(`/bangumi/${id}/points/detail`, call));
      if (detail === undefined) return { warnings: [`Anitabi has no points of work ${id}`] };
      const { points, warnings } = parsePoints(detail.json, imageBase);
      const told = warnings.map((warning) => `work ${id}: ${warning}`);
      if (!isWanted(points)) return { warnings: told };
      const lite = await unlessMissing(anitabi.get(`/bangumi/${id}/lite`, call));
      const known = isObject(lite?.json) ? lite.json : {};
      const work = toWork(id, known.title, known.cn, known.cover, points, imageBase);
      return { work, warnings: lite === undefined ? [...told, `Anitabi does not tell the title of work ${id}`] : told };
    } catch (thrown) {
      call.signal.throwIfAborted();
      return { thrown, warnings: [] };
    }
  }

  return async (isWanted, call) => {
    const looked = await Promise.all(ids.map((id) => look(id, isWanted, call)));
    const failed = looked.flatMap((one, index) => ('thrown' in one ? [{ index, id: ids[index] as string, error: one.thrown }] : []));
    // Nothing could be asked at all: then that is the answer, with its own reason.
    const first = failed[0];
    if (first !== undefined && failed.length === ids.length) throw first.error;
    const works = looked.flatMap(({ work }) => work ?? []);
    return { works, looked: ids.length - failed.length, failed, warnings: looked.flatMap(({ warnings }) => warnings) };
  };
}

/** The result for one work. */
interface Looked {
  readonly work?: Work;
  readonly thrown?: unknown;
  readonly warnings: readonly string[];
}

/** Treats "not found" as an answer. */
async function unlessMissing<TAnswer>(asking: Promise<TAnswer>): Promise<TAnswer | undefined> {
  try {
    return await asking;
  } catch (thrown) {
    if (classify(thrown).kind === 'not_found') return undefined;
    throw thrown;
  }
}

/**
 * Loads all works from one file in Anitabi's own compact form, `[rows, pageSize, modified]`: a row holds id, Chinese title, English title,
 * title, city, colour, cover, and at place 12 its points as `id, lat, lng, priority` in turn.
 */
export function loadIndexedWorks(index: Upstream, imageBase: string): LoadWorks {
  return async (isWanted, call) => {
    const { json } = await index.get('', call);
    const rows: unknown = Array.isArray(json) ? json[0] : undefined;
    if (!Array.isArray(rows)) throw fail('bad_response', 'The index of works does not hold a list of works.');
    let looked = 0;
    const works = rows.flatMap((row: unknown) => {
      if (!Array.isArray(row) || !/^[1-9]\d{0,9}$/.test(String(row[0])) || !Array.isArray(row[12])) return [];
      looked += 1;
      const flat: readonly unknown[] = row[12];
      const places = flat.flatMap((_, at) => (at % 4 === 0 ? (toPlace(flat[at + 1], flat[at + 2]) ?? []) : []));
      return isWanted(places) ? [toWork(String(row[0]), row[3], row[1], row[6], places, imageBase)] : [];
    });
    const skipped = rows.length - looked;
    const told = `${skipped} of ${rows.length} works in the index had no usable points and were left out`;
    return { works, looked, failed: [], warnings: skipped === 0 ? [] : [told] };
  };
}

function toWork(id: string, title: unknown, cn: unknown, cover: unknown, places: readonly Place[], imageBase: string): Work {
  const cnTitle = typeof cn === 'string' && cn !== '' ? cn : null;
  return {
    id,
    title: typeof title === 'string' && title !== '' ? title : (cnTitle ?? id),
    cn_title: cnTitle,
    cover_url: toImageUrl(cover, imageBase),
    places,
  };
}
