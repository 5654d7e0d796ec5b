import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { flat, preset } from '@toolpact/origins/flat';
import { createToolbox, toModelText } from 'toolpact';
import { createSeichiTools } from './tools/index.ts';

// A pilgrim's afternoon in Uji. The services are one small server on this machine; leave the base URLs out and the tools ask the real ones.

const answers: Record<string, unknown> = {
  '/v0/search/subjects': {
    data: [{ id: 115908, type: 2, name: '響け！ユーフォニアム', name_cn: '吹响吧！上低音号', date: '2015-04-07' }],
    total: 1,
  },
  '/v0/subjects/115908': { id: 115908, type: 2, name: '響け！ユーフォニアム', name_cn: '吹响吧！上低音号', eps: 13, date: '2015-04-07' },
  '/bangumi/115908/lite': { id: 115908, title: '響け！ユーフォニアム', cn: '吹响吧！上低音号', cover: '/bangumi/115908.jpg' },
  '/bangumi/115908/points/detail': [
    { id: '7eb2jv', name: '宇治橋', cn: '宇治桥', ep: 2, s: 61, geo: [34.892871, 135.807171], image: '/points/115908/7eb2jv.jpg' },
    { id: 'op-1', name: '朝霧橋', ep: 'OP', s: 33, geo: [34.8906, 135.8098] },
    { id: 'lost', name: 'どこか', ep: 3, s: 10 },
  ],
  '/search': [
    {
      category: 'railway',
      type: 'station',
      name: '宇治',
      lat: '34.8907',
      lon: '135.800778',
      address: { city: '宇治市', province: '京都府' },
    },
  ],
  '/v1/chat/completions': { choices: [{ message: { role: 'assistant', content: 'Sound! Euphonium' } }] },
};
let busy = false;
const upstream = createServer((request, response) => {
  if (busy) return response.writeHead(429, { 'retry-after': '8' }).end('{"title":"Too Many Requests"}');
  response.end(JSON.stringify(answers[new URL(request.url ?? '', 'http://localhost').pathname] ?? null));
});
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;

const toolbox = createToolbox(
  createSeichiTools({
    userAgent: 'toolpact/example',
    bangumi: { baseUrl },
    anitabi: { baseUrl },
    geocoder: { baseUrl },
    works: { bangumiIds: [115908] },
    translate: { baseUrl: `${baseUrl}/v1`, apiKey: 'any' },
  }),
  { preset, report: () => undefined },
);

const color = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string): string => (color ? `\u001b[${code}m${text}\u001b[0m` : text);

const found = await show('search_bangumi_subjects', { keyword: 'ユーフォニアム' });
assert.deepEqual(Object.keys(found), ['success', 'error', 'keyword', 'results']);

const subject = await show('get_bangumi_subject', { subject_id: 115908 });
assert.equal(subject.success, true);

const points = await show('get_anitabi_points', { bangumi_id: '115908' });
assert.deepEqual(
  (points.points as { episode: unknown }[]).map(({ episode }) => episode),
  [2, 'OP'],
);

const near = await show('search_anitabi_bangumi_near_station', { station_name: '宇治駅', radius_km: 3 });
assert.equal((near.bangumi_list as { distance_km: number }[])[0]?.distance_km, 0.631);

const translated = await show('translate_tool', { text: '響け！ユーフォニアム', target_language: 'en' });
assert.equal(translated.translated, 'Sound! Euphonium');

busy = true;
console.log(`\n${paint(33, 'Now every service has had enough.')} The answer keeps its shape, with the documented default in it:`);
const failed = await show('search_bangumi_subjects', { keyword: '氷菓' });
assert.deepEqual([failed.success, failed.results], [false, []]);

upstream.closeAllConnections();
upstream.close();

async function show(name: string, args: object): Promise<Record<string, unknown>> {
  const outcome = await toolbox.answer({ name, args });
  const answer = flat.encode(outcome, { strict: true });
  console.log(`
${paint(32, name)} ${JSON.stringify(args)}
   caller gets   ${JSON.stringify(answer)}
   model reads   ${toModelText(outcome).replaceAll('\n', '\n                 ')}`);
  return answer;
}
