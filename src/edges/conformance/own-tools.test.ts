import { expect, test } from 'vitest';
import { createToolbox } from '../../index.ts';
import { resultReader } from '../../parts/guards/index.ts';
import { memoryStore } from '../../parts/stores/memory.ts';
import { createSeichiTools } from '../packs/seichi/index.ts';
import { checkTools } from './check-tools.ts';

// Nobody listens there: what is judged is how the tools take arguments and tell failures.
const nowhere = { baseUrl: 'http://127.0.0.1:9' };

test('the tools we ship break nothing that the contract demands', { timeout: 120_000 }, async () => {
  const tools = [
    ...createSeichiTools({ bangumi: nowhere, anitabi: nowhere, geocoder: nowhere, translate: nowhere }),
    resultReader({ store: memoryStore() }),
  ];
  const findings = await checkTools(createToolbox(tools, { report: () => undefined }), { seed: 7 });
  expect(findings.filter(({ level }) => level === 'must')).toEqual([]);
});
