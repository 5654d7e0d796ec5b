import type { RecordedCall } from 'toolpact';
import { noTenant } from 'toolpact/extend';
import { measureJson } from 'toolpact/internal';
import type { KeptTexts } from './page-answers.ts';

/** The facts about the server that the texts contain. */
export interface KeptFacts {
  /** The address of the server. */
  readonly base: string;
  readonly hasAuth: boolean;
  readonly version: string | undefined;
}

/** Writes a call in the forms that people keep. Arguments are those of the list, so secrets in them are hidden. */
export function keptTexts(call: RecordedCall, facts: KeptFacts): KeptTexts {
  return { curl: curlOf(call, facts), client: clientOf(call, facts), test: testOf(call), report: reportOf(call, facts) };
}

function curlOf({ tool, input, tenantId, runId }: RecordedCall, { base, hasAuth }: KeptFacts): string {
  const headers = [
    "-H 'content-type: application/json'",
    ...(hasAuth
      ? ['-H "authorization: Bearer $TOOLPACT_API_KEY"']
      : tenantId === noTenant
        ? []
        : [`-H ${quote(`x-tenant-id: ${toLine(tenantId)}`)}`]),
    ...(runId === undefined ? [] : [`-H ${quote(`x-run-id: ${toLine(runId)}`)}`]),
  ];
  const parts = [`curl -sS ${quote(`${base}v1/tools/${encodeURIComponent(tool)}`)}`, ...headers, `-d ${quote(toJson(input))}`];
  return parts.join(' \\\n  ');
}

function clientOf({ tool, input, tenantId }: RecordedCall, { base, hasAuth }: KeptFacts): string {
  const tenant = tenantId === noTenant ? '' : `, { tenantId: ${toJson(tenantId)} }`;
  const access = hasAuth ? ", { apiKey: process.env.TOOLPACT_API_KEY ?? '' }" : tenant;
  return `import { createClient } from '@toolpact/server/client';

const client = createClient(${toJson(base)}${access});
const outcome = await client.call(${toJson(tool)}, ${toJson(input, 2)});
console.log(outcome);
`;
}

/** Outcomes of more characters than this are not written into a test. */
const maxRecorded = 100_000;

function testOf(call: RecordedCall): string {
  const { id, tool, input, status, kind, begunAt, traceId, outcome, effect, recovery, retryable } = call;
  const expected = status === 'error' ? { status, error: { kind, recovery, retryable, effect } } : { status };
  const facts = { v: 1, at: Date.parse(begunAt), call: id, tool, invocationId: id, traceId };
  const isWhole = outcome !== undefined && measureJson(outcome, maxRecorded) <= maxRecorded;
  const recording = [
    { ...facts, id: `${id}-start`, type: 'call-start', input },
    ...(isWhole ? [{ ...facts, id: `${id}-end`, type: 'call-end', outcome }] : []),
  ];
  return `import { createToolbox } from 'toolpact';
import { replay } from '@toolpact/testing';
import { expect, test } from 'vitest';
import { tools } from './tools.ts'; // The file of your tools; they are exported as a list here.

// The call ${toLine(id)} of ${toLine(tool)}, made at ${begunAt}.${isWhole ? '' : ' Its outcome is too large to be kept here.'}
const recording = ${toJson(recording, 2)} as unknown as Parameters<typeof replay>[0];

test(${toJson(`${tool} answers ${kind ?? status}`)}, async () => {
  // Answers from the recording: nothing runs. Without \`replay\` the tool itself is called.
  const toolbox = createToolbox(tools, { use: [replay(recording)] });
  const outcome = await toolbox.answer({ name: ${toJson(tool)}, args: ${toJson(input)} });
  expect(outcome).toMatchObject(${toJson(expected)});
});
`;
}

function reportOf(call: RecordedCall, { version }: KeptFacts): string {
  const { tenantId: _, userId, sessionId, conversationId, runId, key, callId, handle, ...shown } = call;
  const { outcome } = shown;
  // Ids of people and customers say nothing about a bug.
  const { tenantId: _tenant, runId: _run, sessionId: _session, callId: _call, ids, ...meta } = outcome?.meta ?? { tookMs: 0, attempts: 0 };
  const report = { toolpact: version, ...shown, ...(outcome && { outcome: { ...outcome, meta } }) };
  return toJson(report, 2);
}

/** Writes JSON without characters that a terminal or an editor would obey instead of showing. */
function toJson(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, null, indent) ?? 'null';
  return text.replace(unseen, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Control characters of the upper half, signs that turn the direction of text, and those that have no width. */
const unseen = /[\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Writes a text on one line, for a header or a comment. */
function toLine(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}

/** Single quotes hide everything from a shell but themselves. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
