import { fromJsonSchema } from '@toolpact/openapi';
import { checks, flat, preset } from '@toolpact/origins/flat';
import { reportOnTools } from '@toolpact/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { faults, startUpstreams } from '../../../examples/seichi/test/start-upstreams.ts';
import { complianceText } from '../../cli/src/print/report-text.ts';
import { createTools } from './after/adk-tools.ts';
import { runAdk } from './run-adk.ts';
import { quietBox, raise } from './start-box.ts';
import { calls, failing, working } from './use-cases.ts';

describe('000 decision: all ADK tools return the dictionary', () => {
  // The preset prints every failure.
  beforeEach(() => vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => vi.restoreAllMocks());
  const broken = failing(() => raise(new Error('Human-readable error message')));

  test('000-11 the model reads it for a success', async () => {
    const { read } = await runAdk(createTools(working), calls.slice(0, 1));
    expect(read).toEqual(['{"success":true,"error":null,"keyword":"K-ON","results":[{"id":1424,"name":"K-ON","name_cn":"轻音少女"}]}']);
  });

  test('000-12 the model reads `success: false` and the text', async () => {
    const { read } = await runAdk(createTools(broken), calls.slice(0, 1));
    expect(read).toEqual(['{"success":false,"error":"Human-readable error message","keyword":"K-ON","results":[]}']);
  });

  test('000-13 no failure ends the run', async () => {
    expect(await runAdk(createTools(broken), calls)).toMatchObject({ read: { length: 5 }, last: 'done' });
  });
});

describe('000 existing tool compliance', () => {
  let upstreams: Awaited<ReturnType<typeof startUpstreams>>;
  beforeAll(async () => {
    upstreams = await startUpstreams();
  });
  afterAll(() => upstreams.close());

  const tools = [
    ['000-23', 'search_bangumi_subjects', { keyword: 'けいおん' }, { keyword: 'けいおん', results: [] }],
    ['000-24', 'get_bangumi_subject', { subject_id: 115908 }, { subject_id: 115908, subject: null }],
    ['000-25', 'get_anitabi_points', { bangumi_id: '115908' }, { bangumi_id: '115908', points: [] }],
    [
      '000-26',
      'search_anitabi_bangumi_near_station',
      { station_name: '宇治駅', radius_km: 3 },
      { station: null, bangumi_list: [], radius_km: 3 },
    ],
    [
      '000-27',
      'translate_tool',
      { text: '響け！', target_language: 'en' },
      { original: '響け！', translated: '響け！', target_language: 'en' },
    ],
  ] as const;

  test.each(tools)('%s `%s` follows the contract', async (_, name, args, defaults) => {
    const toolbox = quietBox(upstreams.tools(), { preset });
    const ask = async () => flat.encode(await toolbox.answer({ name, args }), { strict: true });
    const keys = ['success', 'error', ...Object.keys(defaults)];
    const done = await ask();
    expect(done).toMatchObject({ success: true, error: null });
    expect(Object.keys(done)).toEqual(keys);
    for (const fault of [faults[404], faults[429], faults[500], faults.html, faults.garbage, faults.truncated]) {
      upstreams.replace(fault);
      const failed = await quietBox(upstreams.tools(), { preset }).answer({ name, args });
      upstreams.replace(undefined);
      const answer = flat.encode(failed, { strict: true });
      expect(answer).toEqual({ success: false, error: expect.stringMatching(/./), ...defaults });
      expect(Object.keys(answer)).toEqual(keys);
    }
  });

  test('000-28 the compliance table is printed as documented', async () => {
    const report = await reportOnTools(quietBox(upstreams.tools(), { preset }), { checks, schema: fromJsonSchema });
    expect(complianceText(report)).toBe(
      ['| Tool | Follows Contract |', '|------|-----------------|', ...tools.map(([, name]) => `| \`${name}\` | ✅ |`), ''].join('\n'),
    );
  });
});
