import { homedir, tmpdir } from 'node:os';
import type { Failure } from 'toolpact';
import { catalogue, classify } from 'toolpact';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allCases } from './all-cases.ts';
import { type ErrorCase, type Expectation, kindsOf } from './error-case.ts';
import { closeLoopback } from './loopback.ts';
import { type CaseResult, describeThrown, runCases } from './run-cases.ts';
import { leakedSecrets } from './secrets.ts';

const libraries = [
  '@anthropic-ai/sdk',
  '@aws-sdk/client-dynamodb',
  '@aws-sdk/client-s3',
  '@google/genai',
  '@grpc/grpc-js',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/sdk',
  '@octokit/request',
  'AbortSignal',
  'JSON',
  'ajv',
  'arktype',
  'axios',
  'fetch',
  'got',
  'ioredis',
  'ky',
  'node:child_process',
  'node:dns',
  'node:fs',
  'node:http',
  'node:net',
  'node:sqlite',
  'node:tls',
  'openai',
  'pg',
  'stripe',
  'undici',
  'valibot',
  'zod',
];

let results: Map<ErrorCase, CaseResult<Failure>>;

beforeAll(async () => {
  results = await runCases(allCases, (thrown) => classify(thrown));
}, 240_000);

afterAll(closeLoopback);

test('every library is there with at least three cases, and no title twice', () => {
  const count = (library: string) => allCases.filter((entry) => entry.library === library).length;
  expect([...new Set(allCases.map((entry) => entry.library))].sort()).toEqual(libraries);
  expect(libraries.filter((library) => count(library) < 3)).toEqual([]);
  expect(allCases.length).toBeGreaterThanOrEqual(150);
  expect(new Set(allCases.map(titleOf)).size).toBe(allCases.length);
});

describe('errors of libraries are classified', () => {
  for (const entry of allCases) {
    test(titleOf(entry), () => {
      const result = results.get(entry);
      if (!result?.threw) throw new Error(`the library threw nothing, it returned ${String(result?.returned)}`);
      const evidence = `${describeThrown(result.thrown)}\nanswered ${JSON.stringify(result.answer)}`;
      checkMeaning(result.answer, entry.expect, evidence);
      checkManners(result.answer, evidence);
      checkStrangers(classify(result.thrown, { expose: 'authored' }), evidence);
    });
  }
});

function titleOf({ library, id, expect: expectation }: ErrorCase): string {
  return `${library}: ${id} is ${kindsOf(expectation).join(' or ')}`;
}

/** Checks what the agent is told to do. */
function checkMeaning(failure: Failure, expectation: Expectation, evidence: string): void {
  expect(kindsOf(expectation), evidence).toContain(failure.kind);
  const retryable = expectation.retryable ?? defaultRetryable(failure);
  if (retryable !== 'either') expect(failure.retryable, evidence).toBe(retryable);
  const { status } = expectation;
  if (status !== undefined) expect(failure.upstream?.status, evidence).toBe(status === 'none' ? undefined : status);
  const { retryAfterMs } = expectation;
  if (retryAfterMs !== undefined) {
    expect(failure.retryAfterMs, evidence).toBeGreaterThanOrEqual(retryAfterMs - tolerance(retryAfterMs));
    expect(failure.retryAfterMs, evidence).toBeLessThanOrEqual(retryAfterMs + tolerance(retryAfterMs));
  }
}

/** Checks what strangers read: nothing of how the machine is built. */
function checkStrangers({ message }: Failure, evidence: string): void {
  expect(message.length, evidence).toBeLessThanOrEqual(600);
  expect(message, evidence).not.toMatch(/[\r\n]/);
  expect(message, evidence).not.toMatch(/\?[\w.-]+=/);
  expect(message, evidence).not.toMatch(/(^|[\s'"`(=:])\/(home|root|tmp|usr|var|opt|srv|etc|work|Users)\//);
  for (const folder of [tmpdir(), homedir(), process.cwd()]) expect(message, evidence).not.toContain(`${folder}/`);
}

/** Checks what holds for every failure: it can be shown to a model, without a stack and without secrets. */
function checkManners(failure: Failure, evidence: string): void {
  const { message } = failure;
  expect(message, evidence).toBe(message.trim());
  expect(message, evidence).not.toBe('');
  expect(message.length, evidence).toBeLessThanOrEqual(4_007);
  expect(message, evidence).not.toMatch(/\bat \S+ \(\S+:\d+:\d+\)|\.[cm]?[jt]s:\d+:\d+/);
  expect(leakedSecrets(JSON.stringify(failure)), evidence).toEqual([]);
  expect(failure.upstream?.endpoint ?? '', evidence).not.toMatch(/[?@#]/);
  if (failure.retryable) expect(failure.recovery, evidence).toBe('wait');
}

/** Returns the default of the kind; an unreadable answer may or may not be worth another try. */
function defaultRetryable({ kind }: Failure): boolean | 'either' {
  return kind === 'bad_response' || kind === 'conflict' ? 'either' : catalogue[kind].retryable;
}

/** A date in a header has whole seconds, and time passes between the answer and its reading. */
function tolerance(milliseconds: number): number {
  return Math.max(milliseconds * 0.1, 1_000);
}
