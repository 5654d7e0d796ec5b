// Answers of the services, in their own formats. Titles, ids and places are real; the rest is made up.

export const euphonium = {
  id: 115908,
  type: 2,
  name: '響け！ユーフォニアム',
  name_cn: '吹响吧！上低音号',
  summary: '高校1年生の春。中学時代に吹奏楽部だった黄前久美子は…',
  series: false,
  nsfw: false,
  locked: false,
  date: '2015-04-07',
  platform: 'TV',
  images: {
    small: 'https://lain.bgm.tv/r/200/pic/cover/l/cd/10/115908_Q1Qd5.jpg',
    grid: 'https://lain.bgm.tv/r/100/pic/cover/l/cd/10/115908_Q1Qd5.jpg',
    large: 'https://lain.bgm.tv/pic/cover/l/cd/10/115908_Q1Qd5.jpg',
    medium: 'https://lain.bgm.tv/r/800/pic/cover/l/cd/10/115908_Q1Qd5.jpg',
    common: 'https://lain.bgm.tv/r/400/pic/cover/l/cd/10/115908_Q1Qd5.jpg',
  },
  infobox: [
    { key: '中文名', value: '吹响吧！上低音号' },
    { key: '别名', value: [{ v: 'Sound! Euphonium' }, { v: '京吹' }] },
  ],
  volumes: 0,
  eps: 13,
  total_episodes: 16,
  rating: { rank: 160, total: 15_012, count: { '1': 26, '10': 1_845 }, score: 8 },
  collection: { on_hold: 651, dropped: 262, wish: 3_871, collect: 21_507, doing: 1_404 },
  meta_tags: ['TV', '日本', '校园'],
  tags: [{ name: '京都动画', count: 5_014, total_cont: 0 }],
};

export const keion = { ...euphonium, id: 1424, name: 'けいおん！', name_cn: '轻音少女', date: '2009-04-02', eps: 13 };
export const keionBook = { ...keion, id: 3510, type: 1, platform: '漫画' };

/** Bangumi's own words for what it does not have. */
export const bangumiNotFound = {
  title: 'Not Found',
  details: { error: 'not found', path: '/v0/subjects/9', method: 'GET' },
  request_id: '8c1b…',
  description: "resource can't be found in the database or has been removed",
};

export const ujiPoints = [
  {
    id: 'qys7fu',
    cn: '京都音乐厅',
    name: '京都コンサートホール',
    image: 'https://image.anitabi.cn/points/115908/qys7fu.jpg?plan=h160',
    ep: 1,
    s: 1,
    geo: [35.0503, 135.7664],
    origin: 'Google Maps',
    originURL: 'https://www.google.com/maps/d/viewer?mid=1',
  },
  {
    id: '7eb2jv',
    cn: '宇治桥',
    name: '宇治橋',
    image: '/images/points/115908/7eb2jv.jpg?plan=h160',
    ep: 2,
    s: 61,
    geo: [34.892871234, 135.807171234],
    origin: 'Anitabi',
  },
  { id: '4l5fti', name: '大吉山展望台', ep: 8, s: 1203, geo: [34.8939, 135.8135] },
  { id: 'op-1', name: '朝霧橋', ep: 'OP', s: 33, geo: [34.8906, 135.8098] },
  { id: 'ed-1', name: '久美子ベンチ', ep: 'ED', s: 12, geo: [34.8921, 135.8105] },
  { id: 'two', name: '黄檗駅', ep: '2', s: '5', geo: ['34.9143', '135.8060'] },
];

export const euphoniumLite = {
  id: 115908,
  cn: '吹响吧！上低音号',
  title: '響け！ユーフォニアム',
  city: '宇治市',
  cover: 'https://image.anitabi.cn/bangumi/115908.jpg?plan=h160',
  color: '#02a7bd',
  geo: [34.90646037778022, 135.81221398475236],
  zoom: 12.383488825333831,
  modified: 1_674_702_846_652,
  litePoints: ujiPoints.slice(0, 2),
  pointsLength: 6,
  imagesLength: 2,
};

export const keionLite = {
  ...euphoniumLite,
  id: 1424,
  cn: '轻音少女',
  title: 'けいおん！',
  city: '京都市',
  cover: '/bangumi/1424.jpg',
  pointsLength: 2,
};
export const keionPoints = [
  { id: 'k1', name: '修学院駅', ep: 1, s: 120, geo: [35.0505, 135.7911] },
  { id: 'k2', name: '宇治上神社', ep: 5, s: 9, geo: [34.892, 135.8115] },
];

export const ujiStation = [
  {
    place_id: 229_104_511,
    licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
    osm_type: 'node',
    osm_id: 1_234_567,
    lat: '34.8800000',
    lon: '135.8000000',
    category: 'highway',
    type: 'bus_stop',
    place_rank: 30,
    importance: 0.000_07,
    addresstype: 'highway',
    name: '宇治駅',
    display_name: '宇治駅, 宇治市, 京都府, 日本',
    address: { highway: '宇治駅', city: '宇治市', province: '京都府', 'ISO3166-2-lvl4': 'JP-26', country: '日本', country_code: 'jp' },
    boundingbox: ['34.8799', '34.8801', '135.7999', '135.8001'],
  },
  {
    place_id: 229_104_512,
    licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
    osm_type: 'node',
    osm_id: 1_234_568,
    lat: '34.8907001',
    lon: '135.8007777',
    category: 'railway',
    type: 'station',
    place_rank: 30,
    importance: 0.36,
    addresstype: 'railway',
    name: '宇治',
    display_name: '宇治, 宇治停車場線, 宇治市, 京都府, 611-0021, 日本',
    address: {
      railway: '宇治',
      road: '宇治停車場線',
      city: '宇治市',
      province: '京都府',
      'ISO3166-2-lvl4': 'JP-26',
      postcode: '611-0021',
      country: '日本',
      country_code: 'jp',
    },
    boundingbox: ['34.8857', '34.8957', '135.7957', '135.8057'],
  },
];

export const gsiUji = [
  {
    geometry: { coordinates: [135.8, 34.88], type: 'Point' },
    type: 'Feature',
    properties: { addressCode: '26204', title: '京都府宇治市宇治' },
  },
  {
    geometry: { coordinates: [135.800_778, 34.8907], type: 'Point' },
    type: 'Feature',
    properties: { addressCode: '', title: '京都府宇治市宇治駅' },
  },
];

/** Anitabi's compact index: two works that fit, one row that does not. */
export const compactIndex = [
  [
    [
      115908,
      '吹响吧！上低音号',
      0,
      '響け！ユーフォニアム',
      '宇治市',
      '#02a7bd',
      '/images/bangumi/115908.jpg',
      8,
      'TV',
      34.9064,
      135.8122,
      12.3,
      ['7eb2jv', 34.892871, 135.807171, 9, 'qys7fu', 35.0503, 135.7664, 3],
    ],
    [
      160209,
      '你的名字。',
      0,
      '君の名は。',
      '東京',
      '#2a5',
      '/images/bangumi/160209.jpg',
      8.1,
      '剧场版',
      35.68,
      139.72,
      11,
      ['suga01', 35.6855, 139.7226, 5],
    ],
    ['broken'],
  ],
  250,
  1_780_488_405_409,
];

export function completion(content: string): object {
  return {
    id: 'chatcmpl-9',
    object: 'chat.completion',
    created: 1_780_488_405,
    model: 'gpt-4.1-mini-2025-04-14',
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null, annotations: [] }, logprobs: null, finish_reason: 'stop' }],
    usage: { prompt_tokens: 91, completion_tokens: 6, total_tokens: 97, prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 } },
    service_tier: 'default',
    system_fingerprint: 'fp_1',
  };
}
