import { readFileSync } from 'node:fs';
import { catalogue, type FailureKind } from 'toolpact';
import type { Stored } from './stored-error.ts';

/** One stored error of a library, and what an agent should be told about it. */
export interface StoredCase {
  readonly library: string;
  /** The version that threw it, where it was written down. */
  readonly version?: string;
  readonly id: string;
  /** The time of the capture, for waits that are given as dates. */
  readonly now: number;
  /** Every kind that the facts allow, the best one first. */
  readonly kinds: readonly FailureKind[];
  readonly retryable?: boolean;
  readonly status?: number | 'none';
  readonly retryAfterMs?: readonly number[];
  readonly toleranceMs?: number;
  /** The parameters of a tool that would run into this, and what a model sent, where they were written down. */
  readonly params?: readonly string[];
  readonly args?: Readonly<Record<string, unknown>>;
  readonly error: Stored;
}

/** One sentence that an application throws as a plain `Error` of its own. */
export interface OwnFault {
  readonly codeBase: string;
  readonly sentence: string;
}

/** The corpora of library errors. All have helped to make the rules since; proofs/conformance/README.md states how each was read the first time. */
export const libraryCorpora = [
  'errors/01-libraries-of-our-tests.jsonl',
  'errors/02-databases-browsers-and-validators.jsonl',
  'errors/03-runtime-modules-and-formats.jsonl',
  'errors/04-directories-mail-and-chat.jsonl',
  'errors/05-object-mappers-and-frameworks.jsonl',
  // The libraries of these two were divided by a hash of their names; rules were made from the first while the second was kept aside.
  'errors/06-runtime-again-and-model-providers.jsonl',
  'errors/07-programs-streams-and-clouds.jsonl',
  // Further failures of libraries that stand above.
  'errors/08-further-failures-of-known-libraries.jsonl',
  'errors/09-sqlite-queues-and-formatters.jsonl',
  // Two sets, one after the other: rules were made from the first before the second was read.
  'errors/10-clouds-accounts-and-local-tools.jsonl',
  'errors/11-model-gateways-and-local-tools.jsonl',
  'errors/12-small-local-libraries.jsonl',
  // Read once before the last rules were made, and one half of it once more after them.
  'errors/13-services-and-parsers.jsonl',
  // Read once before the last words were chosen; one half of its libraries was kept aside meanwhile.
  'errors/14-native-databases-and-clouds.jsonl',
  // As before: read once, then one half of its libraries was kept aside while rules were made from the other.
  'errors/15-providers-sockets-and-runtime-again.jsonl',
  // Libraries that stand in no set above, and further failures of popular ones that do. Read once before their shapes, and at last their words, helped to make rules.
  'errors/16-services-engines-and-templates-first-half.jsonl',
  'errors/16-services-engines-and-templates-second-half.jsonl',
  'errors/17-further-failures-first-half.jsonl',
  'errors/17-further-failures-second-half.jsonl',
  // Libraries that stand in no set above, with a call for each error. Read once; then rules were made from the first half alone.
  'errors/18-registries-sites-and-local-parsers-first-half.jsonl',
  'errors/18-registries-sites-and-local-parsers-second-half.jsonl',
  // Libraries that stand in no set above. Stored with their labels before they were read, and read once; they have helped to make no rule.
  'errors/19-services-formats-and-state-again.jsonl',
  // As before, thrown by the published libraries themselves.
  'errors/20-libraries-of-all-sorts.jsonl',
] as const;

/** Reads the stored errors of one file. */
export function readLibraryErrors(file: string): StoredCase[] {
  const text = readFileSync(new URL(file, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** A code, name or sentence that a family of systems uses, and every kind that it may mean. */
export interface FamilyWord {
  readonly family: string;
  readonly word: string;
  readonly kinds: readonly string[];
  readonly error: Stored;
}

/** Reads the codes, names and sentences that standards, runtimes and services document. */
export function readFamilyWords(): FamilyWord[] {
  const families: Record<string, Record<string, string[]>> = JSON.parse(
    readFileSync(new URL('code-families.json', import.meta.url), 'utf8'),
  );
  return Object.entries(families).flatMap(([family, byKinds]) =>
    Object.entries(byKinds).flatMap(([kinds, words]) =>
      words.map((word) => ({ family, word, kinds: kinds.split(' '), error: { '~place': 'package', ...shapeOf(family, word) } })),
    ),
  );
}

/** Puts a word where its family keeps it. */
function shapeOf(family: string, word: string): Record<string, Stored> {
  switch (family) {
    case 'texts':
    case 'HTTP reasons':
      return { '~class': ['Error'], message: word };
    case 'HTTP classes':
    case 'dom':
      return { '~class': [word, 'Error'], name: word, message: 'It failed' };
    case 'redis':
      return { '~class': ['ReplyError', 'Error'], message: `${word} it failed` };
    case 'mongo':
      return { '~class': ['MongoServerError', 'Error'], message: 'It failed', codeName: word, code: 999 };
    default:
      return { '~class': ['SomeError', 'Error'], message: 'It failed', code: word };
  }
}

/** Reads the sentences of applications. */
export function readOwnFaults(): OwnFault[] {
  const byCodeBase: Record<string, string[]> = JSON.parse(readFileSync(new URL('own-faults.json', import.meta.url), 'utf8'));
  return Object.entries(byCodeBase).flatMap(([codeBase, sentences]) => sentences.map((sentence) => ({ codeBase, sentence })));
}

/** Gives the transience that a kind has everywhere; undefined where the facts do not decide it. */
export function usualRetryable(kinds: readonly FailureKind[]): boolean | undefined {
  const answers = new Set(kinds.map((kind) => (undecided.has(kind) ? undefined : catalogue[kind].retryable)));
  return answers.size === 1 ? [...answers][0] : undefined;
}

const undecided = new Set<FailureKind>(['bad_response', 'conflict', 'not_ready']);
