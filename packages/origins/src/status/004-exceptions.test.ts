import { status } from '@toolpact/origins/status';
import { defineTool } from 'toolpact';
import { expect, test } from 'vitest';
import { quietBox, raise } from '../../test/start-box.ts';
import { preset } from './preset.ts';

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
  const outcome = await quietBox([tool], preset.toolbox).call('my_tool', {});
  expect(status.encode(outcome, { strict: true })).toMatchObject({ error: { type, message: 'no' } });
});
