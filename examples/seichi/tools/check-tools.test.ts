import { checkTools } from '@toolpact/testing';
import { createToolbox } from 'toolpact';
import { expect, test } from 'vitest';
import { createSeichiTools } from './index.ts';

/** No server listens there: the tools are judged by how they read arguments and report failures. */
const nowhere = { baseUrl: 'http://127.0.0.1:9', limit: { requests: 1_000, windowMs: 1 } };

test('the tools pass every check of `toolpact check`, with their services out of reach', async () => {
  const tools = createSeichiTools({ bangumi: nowhere, anitabi: nowhere, geocoder: nowhere, translate: nowhere });
  expect(await checkTools(createToolbox(tools, { report: () => undefined }))).toEqual([]);
});
