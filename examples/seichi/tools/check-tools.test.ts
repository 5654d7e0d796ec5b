import { fromJsonSchema } from '@toolpact/openapi';
import { checks, preset } from '@toolpact/origins/flat';
import { checkTools } from '@toolpact/testing';
import { createToolbox } from 'toolpact';
import { expect, test } from 'vitest';
import { createSeichiTools } from './index.ts';

/** No server listens there: the tools are judged by how they read arguments and report failures. */
const nowhere = { baseUrl: 'http://127.0.0.1:65535', limit: { requests: 1_000, windowMs: 1 } };

test.each([
  ['as the preset has them', { preset }],
  ['as the library has them', {}],
])('the tools pass every check, also those of their contract, with unreachable services and texts %s', async (_, options) => {
  const tools = createSeichiTools({ bangumi: nowhere, anitabi: nowhere, geocoder: nowhere, translate: nowhere });
  const toolbox = createToolbox(tools, { ...options, report: () => undefined });
  expect(await checkTools(toolbox, { checks, schema: fromJsonSchema })).toEqual([]);
});
