import { readdirSync, readFileSync } from 'node:fs';
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

/** The files of library errors, in the order in which they were collected. All have helped to make the rules since. */
export const libraryFiles = filesOf('libraries');

/** Lists the files of a folder that hold one JSON value a line, by their names without an ending. */
export function filesOf(folder: string): string[] {
  const names = readdirSync(new URL(folder, import.meta.url)).filter((name) => name.endsWith('.jsonl'));
  return names.map((name) => name.replace('.jsonl', '')).sort();
}

/** Reads the stored errors of one file. */
export function readLibraryErrors(file: string): StoredCase[] {
  return readLines(`libraries/${file}.jsonl`);
}

/** Reads a file of this folder with a JSON value in each line. */
export function readLines<TValue>(file: string): TValue[] {
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
    readFileSync(new URL('documented-words.json', import.meta.url), 'utf8'),
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
  const byCodeBase: Record<string, string[]> = JSON.parse(readFileSync(new URL('applications.json', import.meta.url), 'utf8'));
  return Object.entries(byCodeBase).flatMap(([codeBase, sentences]) => sentences.map((sentence) => ({ codeBase, sentence })));
}

/** Returns the transience that a kind has everywhere; undefined where the facts do not decide it. */
export function usualRetryable(kinds: readonly FailureKind[]): boolean | undefined {
  const answers = new Set(kinds.map((kind) => (undecided.has(kind) ? undefined : catalogue[kind].retryable)));
  return answers.size === 1 ? [...answers][0] : undefined;
}

const undecided = new Set<FailureKind>(['bad_response', 'conflict', 'not_ready']);
