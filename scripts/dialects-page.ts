import { coded, errorCodes } from '@toolpact/origins/coded';
import { flat } from '@toolpact/origins/flat';
import { status } from '@toolpact/origins/status';
import { catalogue, type FailureKind, type Meta, type Outcome, toModelText } from 'toolpact';
import { openai } from 'toolpact/dialects';
import type { Dialect } from 'toolpact/extend';
import { makeFailure } from 'toolpact/internal';
import { type DialectName, dialectNames } from '../packages/cli/src/dialect-names.ts';
import { dialects } from '../packages/cli/src/dialects.ts';
import { errorCodesTable } from './error-codes-table.ts';

/** Writes docs/dialects.md: one success and each kind of failure in all nine formats, side by side. */
export function dialectsPage(): string {
  return `# Dialects

<!-- Written by \`npm run docs\` from the dialects themselves. Do not edit. -->

The same outcome in nine existing formats. A dialect is an object that writes an outcome into a format and reads it back. Those of MCP and of the
providers are in \`toolpact/dialects\`; those of the contracts that Toolpact comes from are in \`@toolpact/origins\`, one entry each.

\`\`\`ts
import { coded } from '@toolpact/origins/coded';
import { detectDialect, mcp, translate } from 'toolpact/dialects';

coded.encode(outcome);                        // { code, message, data, meta, _toolpact }
coded.encode(outcome, { strict: true });      // { code, message, data, meta } and nothing else
coded.decode(json);                           // { ok: true, outcome } or { ok: false, failure }; never throws
detectDialect(json, [coded, mcp]);            // coded, mcp, or undefined rather than a guess
translate(json, coded, mcp);                  // { ok: true, json } or { ok: false, failure }
\`\`\`

The command line knows all of them by name: \`toolpact translate --from coded --to mcp\`.

| dialect | format | how a failure shows |
|---|---|---|
${dialectNames.map((name) => `| \`${name}\` | ${formats[name].join(' | ')} |`).join('\n')}

- **The extension.** By default \`encode\` adds one block (\`_toolpact\`, in MCP \`_meta['toolpact/outcome']\`) with what the documented fields cannot carry, so that
  \`decode(encode(outcome))\` is the same outcome again. Parts that a documented field holds unchanged are not repeated in the block: a result does not travel
  twice, and what a proxy redacts stays redacted. If the documented fields and the block disagree about
  the status or the kind of failure, decoding fails. For messages the documented field wins.
- **Strict.** With \`{ strict: true }\` only documented fields appear. [What is lost](#what-strict-envelopes-lose) is each dialect's \`losses\`. What goes to a model
  or a provider is always strict.
- **Foreign envelopes.** Fields that an envelope lacks stay absent. Whether a foreign failure took effect is unknown, so do not repeat the call unless you
  know what the tool does: \`decode(json, { effects: 'none' })\`. A kind that only a newer version knows reads as \`internal\`, never retryable.
- **Bad envelopes.** Missing fields, wrong types, contradictions, 50 MB, 10,000 levels, cycles, getters: \`decode\` returns a \`bad_response\` failure whose issue
  names the place, and whether a field is missing or wrong. It never throws.
- **flat: clashes.** Inputs come first, then the result or the declared default. A result takes the place of an argument of the same name. A payload key named
  \`success\`, \`error\`, \`_toolpact\` or \`__proto__\` (next to a failure \`error_code\` too) is left out at top level; the extension keeps it, a strict envelope loses it.
- **value: hiding.** \`value.encode(outcome, { hideValue: true })\` writes null instead of the value, and no extension from which it could be read.
- **coded: numbers.** \`ErrorCode\`, \`buildSuccessResponse\`, \`buildErrorResponse\` and
  \`responseTimer\` are for code that still builds its responses by hand.
- **problem.** \`retryAfter(outcome)\` is the value of the \`Retry-After\` header.

## A dialect of your own

Any object with \`name\`, \`encode\`, \`decode\`, \`detect\`, \`jsonSchema\` and \`losses\` is a \`Dialect\` (its type is in \`toolpact/extend\`); \`translate\`, the server, the client and the adapters accept it.
The nine above keep four promises: with the extension nothing is lost, without it only what the loss table names, no failure is read as a success, and nothing throws.

## Words and numbers

| kind | flat | coded | status | HTTP | a model reads |
|---|---|---|---|---|---|
${kinds.map(wordsOf).join('\n')}

A failure's code can select a number of its own: ${selecting()}. Bad arguments are 4002 when only required ones are missing, 4004 when only a URL is malformed.

## The numbers of coded

${errorCodesTable()}

## A success

${sideBySide(success)}

## A partial result

${sideBySide(partial)}

## A pending call

${sideBySide(pending)}

## The failures

${kinds.map((kind) => `### ${kind}\n\nWhat it means: [failures.md](failures.md#${kind}).\n\n${sideBySide(failureOf(kind))}`).join('\n\n')}

## What strict envelopes lose

${dialectNames.map((name) => `### ${name}\n\n${lossesOf(dialects[name])}`).join('\n\n')}
`;
}

const kinds = Object.keys(catalogue) as FailureKind[];

const formats: Record<DialectName, readonly [format: string, failure: string]> = {
  flat: ['a flat dictionary: `success`, `error`, the tool’s own fields', '`success: false`'],
  coded: ['`code`, `message`, `data`, `meta`', '`code` 4xxx or 5xxx'],
  value: ['`success`, `value`, `message`', '`success: false`'],
  status: ['`ToolResult` and `ToolError`, told apart by `status`', "`status: 'error'`"],
  mcp: ['MCP `CallToolResult`', '`isError: true` and the marked text'],
  openai: ['OpenAI tool message, or function call output of the Responses API', 'the marked text; there is no flag'],
  anthropic: ['Anthropic `tool_result`', '`is_error: true` and the marked text'],
  gemini: ['Gemini `functionResponse`', 'the key `error` and the marked text'],
  problem: ['RFC 9457 problem details', '`status` 4xx or 5xx'],
};

const meta: Meta = { tool: 'find_spots', traceId: 'tr-7', callId: 'call_7', tookMs: 41.5, attempts: 1 };
const input = { station: 'Uji' };
const success: Outcome = { status: 'ok', data: { spots: ['Uji Bridge'] }, input, meta };
const late = makeFailure('timeout', { message: 'The map service did not answer within 5 s.' });
const partial: Outcome = {
  status: 'partial',
  data: { spots: ['Uji Bridge', null] },
  failures: [{ index: 1, error: late }],
  total: 2,
  input,
  meta,
};
const pending: Outcome = { status: 'pending', pending: { handle: 'h-7', reason: 'approval' }, input, meta };

function failureOf(kind: FailureKind): Outcome {
  return { status: 'error', error: makeFailure(kind, examples[kind]), fallback: { spots: [] }, input, meta };
}

const examples: Record<FailureKind, Parameters<typeof makeFailure>[1]> = {
  invalid_input: { message: 'radius_km is required.', issues: [{ path: ['radius_km'], problem: 'missing', message: 'is required' }] },
  unknown_tool: { message: 'There is no tool "find_spot". Did you mean "find_spots"?' },
  not_found: { message: 'There is no station "Uij".', code: 'no_such_station' },
  unauthenticated: { message: 'maps.example rejected the credentials (HTTP 401).', upstream: { status: 401 } },
  forbidden: { message: 'maps.example does not allow this (HTTP 403).', upstream: { status: 403 } },
  denied: { message: 'The user said no. It did not run.' },
  conflict: { message: 'A route with this name exists already.' },
  not_ready: { message: 'The map index is still loading.' },
  not_configured: { message: 'No key for maps.example is set.' },
  rate_limited: { message: 'maps.example limits requests (HTTP 429).', retryAfterMs: 7000, upstream: { status: 429 } },
  budget_exhausted: { message: 'The monthly quota of maps.example is spent.' },
  timeout: { message: 'find_spots did not finish within 5000 ms.' },
  cancelled: { message: 'find_spots was stopped by its caller before it finished.' },
  interrupted: { message: 'The process that ran find_spots died.', effect: 'unknown' },
  unreachable: { message: 'maps.example could not be reached: connection refused.', cause: 'ECONNREFUSED' },
  upstream: { message: 'maps.example failed (HTTP 500).', upstream: { status: 500 } },
  bad_response: { message: 'The answer of maps.example is not JSON.' },
  too_large: { message: 'The request is larger than 1 MB.' },
  unsupported: { message: 'maps.example does not offer this operation.' },
  invalid_output: { message: 'find_spots broke its own output schema: spots expected an array.' },
  all_failed: { message: 'All 2 items failed.' },
  failed: { message: 'Uji has two stations; say which operator you mean.', cause: 'Error' },
  internal: { message: 'find_spots failed unexpectedly.' },
};

function sideBySide(outcome: Outcome): string {
  const rows = Object.entries(dialects).map(([name, dialect]) => `| \`${name}\` | ${code(dialect.encode(outcome, { strict: true }))} |`);
  const responses = `| \`openai\`, Responses | ${code(openai.encode(outcome, { strict: true, form: 'responses' }))} |`;
  rows.splice(dialectNames.indexOf('openai') + 1, 0, responses);
  return `| dialect | envelope |\n|---|---|\n${rows.join('\n')}`;
}

function wordsOf(kind: FailureKind): string {
  const outcome: Outcome = { status: 'error', error: makeFailure(kind, { message: 'It failed.' }), meta };
  const written = status.encode(outcome);
  const { http, httpUpstream } = catalogue[kind];
  const cells = [
    `[\`${kind}\`](#${kind})`,
    `\`${flat.encode(outcome).error_code}\``,
    coded.encode(outcome).code,
    `\`${written.status === 'error' ? written.error.type : ''}\``,
    httpUpstream === undefined ? http : `${http}; ${httpUpstream} when upstream said so`,
    `\`${toModelText(outcome).split(']', 1)[0]}] …\``,
  ];
  return `| ${cells.join(' | ')} |`;
}

function selecting(): string {
  const rows = Object.values(errorCodes).flatMap((row) =>
    'code' in row && row.code !== undefined ? [`\`${row.code}\` ${row.number}`] : [],
  );
  return rows.join(', ');
}

function lossesOf({ losses }: Dialect): string {
  const notes = new Map<string, string[]>();
  for (const { path, note } of losses) notes.set(note, [...(notes.get(note) ?? []), `\`${path}\``]);
  return [...notes].map(([note, paths]) => `- ${paths.join(', ')}: ${note}`).join('\n');
}

function code(json: object): string {
  return `\`${JSON.stringify(json).replaceAll('|', '\\|')}\``;
}
