import { flat } from '@toolpact/origins/flat';
import { createToolbox } from 'toolpact';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completion } from '../test/answers.ts';
import { faults, send, startUpstreams } from '../test/start-upstreams.ts';

let upstreams: Awaited<ReturnType<typeof startUpstreams>>;
beforeAll(async () => {
  upstreams = await startUpstreams();
});
afterAll(() => upstreams.close());

/** Each tool's arguments, and the documented answer when it fails, in the documented order. */
const tools = {
  search_bangumi_subjects: [{ keyword: 'けいおん' }, { success: false, error: expect.any(String), keyword: 'けいおん', results: [] }],
  get_bangumi_subject: [{ subject_id: 115908 }, { success: false, error: expect.any(String), subject_id: 115908, subject: null }],
  get_anitabi_points: [{ bangumi_id: '115908' }, { success: false, error: expect.any(String), bangumi_id: '115908', points: [] }],
  search_anitabi_bangumi_near_station: [
    { station_name: '宇治駅', radius_km: 3 },
    { success: false, error: expect.any(String), station: null, bangumi_list: [], radius_km: 3 },
  ],
  translate_tool: [
    { text: '響け！', target_language: 'en' },
    { success: false, error: expect.any(String), original: '響け！', translated: '響け！', target_language: 'en' },
  ],
} as const;

const conditions = {
  success: undefined,
  'HTTP 404': faults[404],
  'HTTP 429': faults[429],
  'HTTP 500': faults[500],
  timeout: faults.hang,
  'malformed body': faults['wrong shape'],
  'page instead of JSON': faults.html,
  garbage: faults.garbage,
  'cut off': faults.truncated,
  'redirect loop': faults['redirect loop'],
} as const;

type Condition = keyof typeof conditions;

/** Returns the contract violations of an answer; none if it follows the contract. */
function breaches(answer: Record<string, unknown>, documented: Record<string, unknown>, condition: Condition): string[] {
  const found: string[] = [];
  const keys = Object.keys(answer).join();
  if (keys !== Object.keys(documented).join()) found.push(`fields ${keys}`);
  if (JSON.stringify(JSON.parse(JSON.stringify(answer))) !== JSON.stringify(answer)) found.push('not plain JSON');
  if (condition === 'success') {
    if (answer.success !== true || answer.error !== null) found.push(`success ${answer.success}, error ${answer.error}`);
    return found;
  }
  if (answer.success !== false || typeof answer.error !== 'string' || answer.error === '')
    found.push(`success ${answer.success}, error ${answer.error}`);
  for (const [name, value] of Object.entries(documented)) {
    if (name !== 'error' && JSON.stringify(answer[name]) !== JSON.stringify(value))
      found.push(`${name} is ${JSON.stringify(answer[name])}`);
  }
  return found;
}

test('every tool follows the contract, however its upstream behaves', async () => {
  const rows: string[] = [];
  const wrong: string[] = [];
  for (const [name, [input, documented]] of Object.entries(tools)) {
    const kinds: string[] = [];
    const before = wrong.length;
    for (const [condition, fault] of Object.entries(conditions)) {
      upstreams.replace(fault);
      const timeoutMs = condition === 'timeout' ? 50 : 5000;
      const short = { timeoutMs };
      const toolbox = createToolbox(upstreams.tools({ bangumi: short, anitabi: short, geocoder: short, translate: short }), {
        report: () => undefined,
      });
      const outcome = await toolbox.answer({ name, args: input });
      const answer = flat.encode(outcome, { strict: true });
      wrong.push(...breaches(answer, documented, condition as Condition).map((what) => `${name}, ${condition}: ${what}`));
      kinds.push(outcome.status === 'error' ? outcome.error.kind : outcome.status);
    }
    rows.push(`${name} | ${wrong.length === before ? 'yes' : 'NO'} | ${kinds.join(' | ')}`);
  }
  upstreams.replace(undefined);
  const table = [`Tool | Follows contract | ${Object.keys(conditions).join(' | ')}`, ...rows].join('\n');
  console.log(table);
  expect(wrong).toEqual([]);
  expect(
    table,
  ).toBe(`Tool | Follows contract | success | HTTP 404 | HTTP 429 | HTTP 500 | timeout | malformed body | page instead of JSON | garbage | cut off | redirect loop
search_bangumi_subjects | yes | ok | not_found | rate_limited | upstream | timeout | bad_response | bad_response | bad_response | unreachable | bad_response
get_bangumi_subject | yes | ok | not_found | rate_limited | upstream | timeout | bad_response | bad_response | bad_response | unreachable | bad_response
get_anitabi_points | yes | ok | not_found | rate_limited | upstream | timeout | bad_response | bad_response | bad_response | unreachable | bad_response
search_anitabi_bangumi_near_station | yes | ok | not_found | rate_limited | upstream | timeout | bad_response | bad_response | bad_response | unreachable | bad_response
translate_tool | yes | ok | not_found | rate_limited | upstream | timeout | bad_response | bad_response | bad_response | unreachable | bad_response`);
});

test.each([
  [404, 'ok'],
  [429, 'rate_limited'],
  [500, 'upstream'],
  ['hang', 'timeout'],
  ['wrong shape', 'bad_response'],
  ['html', 'bad_response'],
  ['garbage', 'bad_response'],
  ['truncated', 'unreachable'],
  ['redirect loop', 'bad_response'],
] as const)('a search near a station ends, when Anitabi answers %s, as %s', async (fault, ends) => {
  upstreams.replace(faults[fault], 'anitabi');
  const anitabi = { timeoutMs: fault === 'hang' ? 50 : 5000 };
  const toolbox = createToolbox(upstreams.tools({ anitabi }), { report: () => undefined });
  const outcome = await toolbox.call('search_anitabi_bangumi_near_station', { station_name: '宇治駅' });
  upstreams.replace(undefined);
  expect(outcome.status === 'error' ? outcome.error.kind : outcome.status).toBe(ends);
  expect(Object.keys(flat.encode(outcome, { strict: true }))).toEqual(['success', 'error', 'station', 'bangumi_list', 'radius_km']);
});

test.each([
  ['search_bangumi_subjects', { keyword: 'nothing' }, '{"success":true,"error":null,"keyword":"nothing","results":[]}'],
  ['get_anitabi_points', { bangumi_id: '7' }, '{"success":true,"error":null,"bangumi_id":"7","points":[]}'],
  [
    'search_anitabi_bangumi_near_station',
    { station_name: '宇治' },
    '{"success":true,"error":null,"station":{"name":"宇治","lat":34.8907,"lng":135.800778,"city":"宇治市","prefecture":"京都府"},"bangumi_list":[],"radius_km":5}',
  ],
])('%s with an empty result is a success, not a failure', async (name, args, expected) => {
  upstreams.replace((_, response) => send(response, 200, []), 'anitabi');
  const outcome = await createToolbox(upstreams.tools(), { report: () => undefined }).answer({ name, args });
  upstreams.replace(undefined);
  expect(JSON.stringify(flat.encode(outcome, { strict: true }))).toBe(expected);
});

test.each([
  [
    'get_bangumi_subject',
    { subject_id: 5 },
    {},
    '{"success":false,"error":"Bangumi answered without a subject.","subject_id":5,"subject":null}',
  ],
  [
    'translate_tool',
    { text: '氷菓', target_language: 'en' },
    completion('  '),
    '{"success":false,"error":"The translation service answered without a translation.","original":"氷菓","translated":"氷菓","target_language":"en"}',
  ],
])('%s fails with its default if the response is empty', async (name, args, body, expected) => {
  upstreams.replace((_, response) => send(response, 200, body));
  const outcome = await createToolbox(upstreams.tools(), { report: () => undefined }).answer({ name, args });
  upstreams.replace(undefined);
  expect(JSON.stringify(flat.encode(outcome, { strict: true }))).toBe(expected);
});

test.each([
  ['search_bangumi_subjects', {}, { keyword: '', results: [] }],
  ['search_bangumi_subjects', { keyword: '  ' }, { keyword: '  ', results: [] }],
  ['search_bangumi_subjects', { keyword: 'a', max_results: 21 }, { keyword: 'a', results: [] }],
  ['search_bangumi_subjects', { keyword: 'a', subject_type: 5 }, { keyword: 'a', results: [] }],
  ['get_bangumi_subject', { subject_id: 0 }, { subject_id: 0, subject: null }],
  ['get_anitabi_points', { bangumi_id: '../lite' }, { bangumi_id: '../lite', points: [] }],
  ['search_anitabi_bangumi_near_station', { station_name: '宇治', radius_km: 21 }, { station: null, bangumi_list: [], radius_km: 21 }],
  ['search_anitabi_bangumi_near_station', { station_name: '宇治', radius_km: 0.5 }, { station: null, bangumi_list: [], radius_km: 0.5 }],
  ['translate_tool', { text: 'a', target_language: 'tlh' }, { original: 'a', translated: 'a', target_language: 'tlh' }],
  ['translate_tool', { text: ' ', target_language: 'en' }, { original: ' ', translated: ' ', target_language: 'en' }],
])('%s refuses %j with its default and sends no request', async (name, args, fallback) => {
  const before = upstreams.seen.length;
  const outcome = await createToolbox(upstreams.tools(), { report: () => undefined }).answer({ name, args });
  expect(outcome).toMatchObject({ status: 'error', error: { kind: 'invalid_input', recovery: 'fix_input' }, fallback });
  expect(flat.encode(outcome, { strict: true })).toEqual({ success: false, error: expect.any(String), ...fallback });
  expect(upstreams.seen.length).toBe(before);
});
