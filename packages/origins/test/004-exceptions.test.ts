import { status } from '@toolpact/origins/status';
import { expect, test } from 'vitest';
import { defineTool } from '../../toolpact/src/index.ts';
import * as presets from '../src/presets/index.ts';
import { quietBox, raise } from './start-box.ts';

/** The exceptions that the tools of that system raise, by name. */
test.each([
  ['004-44', 'RateLimitedError', 'RATE_LIMIT'],
  ['004-45', 'TimeoutError', 'TIMEOUT'],
  ['004-46', 'UpstreamError', 'UPSTREAM'],
  ['004-46', 'UpstreamServiceError', 'UPSTREAM'],
  ['004-47', 'InputError', 'VALIDATION'],
  ['004-47', 'ContextError', 'VALIDATION'],
  ['004-47', 'NotFoundError', 'VALIDATION'],
  ['004-47', 'InconsistentMetadataError', 'VALIDATION'],
  ['004-48', 'TransientError', 'RETRYABLE'],
  ['004-49', 'PermanentError', 'FATAL'],
  ['004-49', 'InternalToolError', 'FATAL'],
])('%s an exception named %s is `%s`', async (_, name, type) => {
  const run = () => raise(Object.assign(new Error('no'), { name }));
  const tool = defineTool({ name: 'my_tool', description: 'x', effects: 'none', run });
  const outcome = await quietBox([tool], presets.status.toolbox).call('my_tool', {});
  expect(status.encode(outcome, { strict: true })).toMatchObject({ error: { type, message: 'no' } });
});
