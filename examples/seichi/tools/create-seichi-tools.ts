import { type Geocode, type GeocoderKind, geocoders } from './geocode.ts';
import { getAnitabiPoints } from './get-anitabi-points.ts';
import { getBangumiSubject } from './get-bangumi-subject.ts';
import { type HttpClient, sharedHttpClient } from './http-client.ts';
import { type LoadWorks, loadIndexedWorks, loadListedWorks } from './load-works.ts';
import { searchAnitabiBangumiNearStation } from './search-anitabi-bangumi-near-station.ts';
import { searchBangumiSubjects } from './search-bangumi-subjects.ts';
import { translateTool } from './translate-tool.ts';
import { createUpstream, type Upstream, type UpstreamOptions } from './upstream.ts';

/** Options; without them the tools ask the public services. */
export interface SeichiOptions {
  /** How these tools introduce themselves. Bangumi and Nominatim want to know who is asking: name your project and an address. */
  readonly userAgent?: string;
  readonly bangumi?: UpstreamOptions;
  readonly anitabi?: UpstreamOptions & {
    /** Where pictures are that come without a host. @default 'https://image.anitabi.cn' */
    readonly imageBaseUrl?: string;
  };
  /** Who knows where stations are: a service by its kind, or a function of your own. @default Nominatim */
  readonly geocoder?: Geocode | (UpstreamOptions & { readonly kind?: GeocoderKind });
  /** The works that are looked among near a station. @default a few famous ones */
  readonly works?: {
    /** Their Bangumi ids. */
    readonly bangumiIds?: readonly (string | number)[];
    /** Reads all works from a file in Anitabi's compact index form instead. */
    readonly indexUrl?: string;
  };
  /** A service that speaks OpenAI's chat completions. Without a key nothing is translated. */
  readonly translate?: UpstreamOptions & { readonly apiKey?: string; readonly model?: string };
  /** Asks all services. @default the one client of this process */
  readonly http?: HttpClient;
}

const hour = 3_600_000;

/** Where each service is and how it is treated. Limits are the ones the services ask for, or half of what they bear. */
const usual = {
  bangumi: { baseUrl: 'https://api.bgm.tv', limit: { requests: 30, windowMs: 60_000 }, timeoutMs: 10_000, ttlMs: 24 * hour },
  anitabi: { baseUrl: 'https://api.anitabi.cn', limit: { requests: 30, windowMs: 60_000 }, timeoutMs: 15_000, ttlMs: 24 * hour },
  nominatim: {
    baseUrl: 'https://nominatim.openstreetmap.org',
    limit: { requests: 1, windowMs: 1000 },
    timeoutMs: 10_000,
    ttlMs: 168 * hour,
  },
  gsi: { baseUrl: 'https://msearch.gsi.go.jp', limit: { requests: 1, windowMs: 1000 }, timeoutMs: 10_000, ttlMs: 168 * hour },
  translate: { baseUrl: 'https://api.openai.com/v1', limit: { requests: 60, windowMs: 60_000 }, timeoutMs: 20_000, ttlMs: 0 },
} satisfies Record<string, Required<UpstreamOptions>>;

/** 響け！ユーフォニアム, 君の名は。, けいおん！, 氷菓, あの花, ゆるキャン△, ぼっち・ざ・ろっく！ */
const famousWorks: readonly string[] = ['115908', '160209', '1424', '27364', '10440', '207195', '328609'];

/**
 * Makes the five tools of an anime pilgrim: find a title, read about it, find its real places, find what is near a station, translate a
 * title. All tools of a process share one HTTP client, and so its limits and its cache.
 *
 * @example
 * const tools = createSeichiTools({ userAgent: 'ann/pilgrim (https://example.com)' });
 * const toolbox = createToolbox(tools, { declare: () => ({ retry: {} }) });
 */
export function createSeichiTools(options: SeichiOptions = {}) {
  const { userAgent = 'toolpact/seichi', http = sharedHttpClient(), translate = {} } = options;
  const connect = (name: string, settings: Required<UpstreamOptions>, own: UpstreamOptions = {}, headers = {}): Upstream =>
    createUpstream(name, { ...settings, ...stated(own) }, http, { 'user-agent': userAgent, ...headers });

  const bangumi = connect('Bangumi', usual.bangumi, options.bangumi);
  const anitabi = connect('Anitabi', usual.anitabi, options.anitabi);
  const imageBase = (options.anitabi?.imageBaseUrl ?? 'https://image.anitabi.cn').replace(/\/+$/, '');
  const { apiKey, model = 'gpt-4.1-mini' } = translate;
  const translator = apiKey
    ? connect('The translation service', usual.translate, translate, { authorization: `Bearer ${apiKey}` })
    : undefined;

  return [
    searchBangumiSubjects(bangumi),
    getBangumiSubject(bangumi),
    getAnitabiPoints(anitabi, imageBase),
    searchAnitabiBangumiNearStation(geocodeOf(), worksOf()),
    translateTool(translator, model),
  ] as const;

  function geocodeOf(): Geocode {
    const { geocoder = {} } = options;
    if (typeof geocoder === 'function') return geocoder;
    const { kind = 'nominatim' } = geocoder;
    if (!Object.hasOwn(geocoders, kind)) throw new TypeError(`geocoder.kind must be one of ${Object.keys(geocoders).join(', ')}`);
    return geocoders[kind](connect(kind === 'gsi' ? 'GSI' : 'Nominatim', usual[kind], geocoder));
  }

  function worksOf(): LoadWorks {
    const { bangumiIds, indexUrl } = options.works ?? {};
    if (indexUrl !== undefined) {
      return loadIndexedWorks(connect('The index of works', { ...usual.anitabi, baseUrl: indexUrl }), imageBase);
    }
    const ids = (bangumiIds ?? famousWorks).map(String);
    const wrong = ids.find((id) => !/^[1-9]\d{0,9}$/.test(id));
    if (wrong !== undefined) throw new TypeError(`works.bangumiIds: "${wrong}" is no Bangumi id`);
    const load = loadListedWorks(anitabi, [...new Set(ids)], imageBase);
    if (bangumiIds !== undefined) return load;
    // The reader must not take "nothing among seven works" for "nothing there".
    const note = `only ${famousWorks.length} famous works were looked at; works.bangumiIds or works.indexUrl names more`;
    return async (isWanted, call) => {
      const loaded = await load(isWanted, call);
      return { ...loaded, warnings: [note, ...loaded.warnings] };
    };
  }
}

/** Leaves out what was given as undefined, so that it does not take the place of what is usual. */
function stated(own: UpstreamOptions): UpstreamOptions {
  return Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
}
