/** The work of the five tools, without the contract around it. The programs before and after the move share it. */
export interface UseCases {
  readonly searchSubjects: (keyword: string) => Promise<object[]>;
  readonly getSubject: (id: number) => Promise<object>;
  readonly getPoints: (bangumiId: string) => Promise<object[]>;
  readonly searchNear: (station: string, radiusKm: number) => Promise<{ station: object; bangumi_list: object[] }>;
  readonly translate: (text: string, language: string) => Promise<string>;
}

/** Use cases that find something. */
export const working: UseCases = {
  searchSubjects: async (keyword) => [{ id: 1424, name: keyword, name_cn: '轻音少女' }],
  getSubject: async (id) => ({ id, name: 'けいおん！', rating: { total: 3, score: 7.8 } }),
  getPoints: async () => [{ id: 'p1', name: '豊郷小学校', cn_name: null, lat: 35.2, lng: 136.2, episode: 1, time_seconds: 12 }],
  searchNear: async (name) => ({ station: { name, lat: 34.8, lng: 135.8 }, bangumi_list: [{ id: '115908', distance_km: 0.4 }] }),
  translate: async (text, language) => `${text} (${language})`,
};

/** Use cases that all end in the same way. */
export function failing(end: () => never): UseCases {
  const fails = async () => end();
  return { searchSubjects: fails, getSubject: fails, getPoints: fails, searchNear: fails, translate: fails };
}

/** A call of each of the five tools, as a model sends it. */
export const calls: readonly (readonly [name: string, args: Record<string, unknown>])[] = [
  ['search_bangumi_subjects', { keyword: 'K-ON' }],
  ['get_bangumi_subject', { subject_id: 1424 }],
  ['get_anitabi_points', { bangumi_id: '1424' }],
  ['search_anitabi_bangumi_near_station', { station_name: '宇治', radius_km: 3 }],
  ['translate_tool', { text: 'けいおん！', target_language: 'en' }],
];
