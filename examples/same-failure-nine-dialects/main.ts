import assert from 'node:assert/strict';
import process from 'node:process';
import { coded } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { value } from '@toolpact/origins/value';
import { createToolbox, defineTool, type Outcome } from 'toolpact';
import { anthropic, type Dialect, detectDialect, gemini, mcp, openai, problem, retryAfter, translate } from 'toolpact/dialects';

// A map service answers 429. Nine systems hear about it, each in the format it already speaks, and each answer can be read back.

const dialects: readonly Dialect[] = [flat, coded, value, status, mcp, openai, anthropic, gemini, problem];

const findSpots = defineTool({
  name: 'find_spots',
  description: 'Finds places from anime near a station.',
  effects: 'none',
  onFailure: { spots: [] as string[] },
  run: (): { spots: string[] } => {
    throw Object.assign(new Error('Too Many Requests'), { status: 429, headers: { 'retry-after': '7' } });
  },
});

const toolbox = createToolbox([findSpots], { report: () => undefined });
const outcome: Outcome = await toolbox.answer({ name: 'find_spots', args: {}, callId: 'call_7' });
assert.ok(outcome.status === 'error' && outcome.error.kind === 'rate_limited' && outcome.error.retryAfterMs === 7000);

const color = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code: number, text: string): string => (color ? `\u001b[${code}m${text}\u001b[0m` : text);

console.log(`
A service says 429, try again in 7 s. ${paint(1, 'One failure, nine formats:')}
`);

// How each system sees, in its own words, that the call failed. The format is strict: not a byte that it does not document.
const tells: Readonly<Record<string, (envelope: Record<string, unknown>) => boolean>> = {
  flat: ({ success, spots }) => success === false && Array.isArray(spots),
  coded: ({ code, data }) => code === 5002 && data !== null,
  value: ({ success, value }) => success === false && value === null,
  status: ({ status, error }) => status === 'error' && (error as { retry_after_ms: number }).retry_after_ms === 7000,
  mcp: (result) => result.isError === true && !('structuredContent' in result),
  openai: ({ content }) => String(content).startsWith('[error: rate_limited] '),
  anthropic: ({ is_error, content }) => is_error === true && String(content).startsWith('[error: rate_limited] '),
  gemini: ({ functionResponse }) => JSON.stringify(functionResponse).includes('{"error":"[error: rate_limited] '),
  problem: ({ status, type }) => status === 429 && String(type).endsWith('/docs/failures.md#rate_limited') && retryAfter(outcome) === '7',
};
assert.deepEqual(
  dialects.map(({ name }) => name),
  Object.keys(tells),
);

for (const dialect of dialects) {
  const { name } = dialect;
  const strict = dialect.encode(outcome, { strict: true });
  assert.ok(tells[name]?.(strict as Record<string, unknown>), `${name} does not tell the failure`);
  assert.equal(detectDialect(strict, dialects), dialect);
  console.log(`  ${paint(33, name.padEnd(9))} ${JSON.stringify(strict)}`);

  // With the extension nothing is lost, whatever the format: this is what a wire gives back.
  const wire: unknown = JSON.parse(JSON.stringify(dialect.encode(outcome)));
  const decoded = dialect.decode(wire);
  assert.ok(decoded.ok, `${name} cannot be read`);
  assert.deepEqual(decoded.outcome, JSON.parse(JSON.stringify(outcome)));
}

// All nine in a row, each translating what the one before it wrote: the same failure comes out at the end.
let from: Dialect = problem;
let envelope: object = problem.encode(outcome);
for (const to of dialects) {
  const translated = translate(envelope, from, to);
  assert.ok(translated.ok);
  envelope = JSON.parse(JSON.stringify(translated.json));
  from = to;
}
const last = problem.decode(envelope);
assert.deepEqual(last.ok && last.outcome, JSON.parse(JSON.stringify(outcome)));

// Anything else is refused with a reason: it is never guessed at, and decoding never throws.
const refused = coded.decode({ code: 9999, message: 'what', data: null, meta: {} });
assert.ok(!refused.ok && refused.failure.kind === 'bad_response');
assert.equal(detectDialect({ success: true, error: null, code: 0, message: 'success', data: {}, meta: {} }, dialects), undefined);

console.log(`
Each was read back with nothing lost, and passed from one format to the next through all nine: ${paint(32, 'the same failure came out.')}
An envelope that makes no sense: ${refused.failure.message}
Next: docs/dialects.md (every kind in every format), docs/migrating.md (moving a system over without changing its wire).
`);
