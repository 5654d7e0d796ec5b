import type { ErrorOutcome, Failure } from 'toolpact';
import { catalogue, classify, createToolbox, defineTool, type FailureKind, type Recovery } from 'toolpact';
import { filesOf, readLines } from './corpus.ts';
import type { Share } from './score.ts';

/** One throw site of a public repository: what the author throws in words of their own, and what a model should be told about it. */
export interface AuthorCase {
  readonly id: string;
  readonly repo: string;
  readonly message: string;
  readonly error: StoredThrow;
  /** Whether the tool reads or writes, and whether anything had changed when it threw. */
  readonly tool: 'reads' | 'writes';
  readonly effect: 'none' | 'maybe' | 'applied';
  /** True or false where it is known. */
  readonly retryable: boolean | null;
  readonly class: AuthorClass;
  /** Every acceptable kind. */
  readonly kinds: readonly FailureKind[];
  /** Recoveries that send the reader the wrong way. `stop` is counted as a dead end instead. */
  readonly harmful: readonly Recovery[];
  /** The message's own instruction to the reader. */
  readonly says: readonly ('fix' | 'retry' | 'login' | 'operator' | 'ask' | 'other' | 'unchanged' | 'maychanged')[];
  /** The parameter names of the tool; `items.price` is a field below `items`. */
  readonly params: readonly string[];
  /** The arguments that the model sent. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** For whom an error was written: the model, an operator, whoever reads what a service said, or nobody. */
export type AuthorClass = (typeof authorClasses)[number];
export const authorClasses = ['deliberate-to-model', 'deliberate-to-operator', 'upstream-wrapped', 'bug'] as const;

/** An error as JSON. */
export interface StoredThrow {
  readonly class: string;
  readonly name?: string;
  readonly message?: string;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly cause?: StoredThrow & { readonly response?: number };
  /** Whether the class does not extend Error. */
  readonly notAnError?: boolean;
}

/** The files of throw sites; README.md says how each was collected. Messages are facts; values in them are invented. */
export const authorFiles = filesOf('.');

/** Reads the stored throw sites of one file. */
export function readAuthorErrors(file: string): AuthorCase[] {
  return readLines(`${file}.jsonl`);
}

const builtIns: Readonly<Record<string, ErrorConstructor>> = { Error, TypeError, RangeError, SyntaxError };

/** Creates the value that a throw site throws. */
function makeThrown({ class: className, name, fields, cause, notAnError }: StoredThrow, message: string): unknown {
  const inner =
    cause && (cause.response === undefined ? makeThrown(cause, cause.message ?? '') : new Response(null, { status: cause.response }));
  const options = inner === undefined ? {} : { cause: inner };
  if (notAnError) return Object.assign(new (named(class {}, className))(), fields);
  const made = builtIns[className] ?? named(class extends Error {}, className);
  const error = new made(message, options);
  if (name !== undefined) error.name = name;
  return Object.assign(error, fields);
}

function named<TClass extends object>(made: TClass, name: string): TClass {
  return Object.defineProperty(made, 'name', { value: name });
}

/** How an error is read: by a tool that declares `effects: 'none'`, by one that declares nothing, or by `classify`, which knows of no call. */
export type AuthorReading = (typeof authorReadings)[number];
export const authorReadings = ['effects none', 'effects omitted', 'bare classify'] as const;

/** Reads one throw site the given way. */
async function readAuthorCase(entry: AuthorCase, reading: AuthorReading): Promise<Failure> {
  if (reading === 'bare classify') return classify(makeThrown(entry.error, entry.message));
  return (await callAuthorCase(entry, reading === 'effects none' ? { effects: 'none' } : {})).error;
}

/** Calls a tool with the parameters and arguments of a case whose handler throws as that site does, or as the given one. */
export async function callAuthorCase(
  entry: AuthorCase,
  options: { readonly effects?: 'none' },
  site: () => never = () => {
    throw makeThrown(entry.error, entry.message);
  },
): Promise<ErrorOutcome> {
  const run = async () => site();
  const tool = defineTool({ name: 'tool', description: 'A tool.', input: anySchema(schemaOf(entry)), ...options, run });
  const outcome = await createToolbox([tool], { report: () => undefined }).call('tool', entry.args);
  if (outcome.status !== 'error') throw new Error(`${entry.id} did not fail`);
  return outcome;
}

/** A schema that accepts everything and has a JSON form: what is thrown comes from the tool. */
function anySchema(schema: Record<string, unknown>) {
  return {
    '~standard': {
      version: 1 as const,
      vendor: 'case',
      validate: (value: unknown) => ({ value: value as Record<string, unknown> }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

type SchemaNode = { type?: string; properties?: Record<string, SchemaNode>; items?: SchemaNode };

/** A JSON Schema with these property names. */
function schemaOf({ params, args }: AuthorCase): SchemaNode {
  const root: SchemaNode = { type: 'object', properties: {} };
  for (const path of params) {
    let node = root;
    let value: unknown = args;
    for (const name of path.split('.')) {
      const isList = Array.isArray(value);
      if (isList) node.items ??= {};
      const place = isList ? (node.items as SchemaNode) : node;
      const holder = isList ? (value as unknown[]).find((item) => fieldOf(item, name) !== undefined) : value;
      value = fieldOf(holder, name);
      place.properties ??= {};
      place.properties[name] ??= {};
      node = place.properties[name] as SchemaNode;
    }
  }
  return root;
}

function fieldOf(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[name] : undefined;
}

/** The effect of a reading's advice on whoever follows it; undefined if a column does not apply. */
export interface Judgement {
  readonly right: boolean;
  readonly internal: boolean;
  /** Sends the model to do something that is wrong here. */
  readonly harmful: boolean;
  /** Tells it to give up where it could act. */
  readonly deadEnd: boolean;
  /** Tells it to give up where the message itself says how to go on. */
  readonly overrules: boolean;
  /** Says the opposite of what the message says. */
  readonly contradicts: boolean;
  /** Says that it may have taken effect, although it was thrown before anything could change. */
  readonly falseEffect: boolean;
  /** Tells the model to repeat what may have taken effect, without a warning. */
  readonly unsafeRepeat: boolean;
  /** Does not warn that it may have taken effect, although it may. */
  readonly unwarned: boolean | undefined;
  readonly retryable: boolean | undefined;
}

export const judgementColumns = [
  'right',
  'internal',
  'harmful',
  'deadEnd',
  'overrules',
  'contradicts',
  'falseEffect',
  'unsafeRepeat',
  'unwarned',
  'retryable',
] as const satisfies readonly (keyof Judgement)[];

/** Compares a reading with what is known of its case. */
function judge(entry: AuthorCase, { kind, recovery, retryable, advice = '' }: Failure): Judgement {
  const accepted = new Set<Recovery>(entry.kinds.map((name) => catalogue[name].recovery));
  if (entry.retryable === true) accepted.add('wait');
  const says = new Set<string>(entry.says);
  const warns = /may have taken effect|has taken effect/.test(advice);
  const isLate = entry.effect !== 'none' && entry.tool === 'writes';
  const deadEnd = recovery === 'stop' && !accepted.has('stop');
  return {
    right: entry.kinds.includes(kind) || (kind === 'failed' && entry.kinds.includes('internal')),
    internal: kind === 'internal',
    harmful: entry.harmful.includes(recovery),
    deadEnd,
    overrules: deadEnd && ['fix', 'other', 'ask', 'login', 'retry'].some((said) => says.has(said)),
    contradicts:
      (says.has('retry') && ['stop', 'other_tool', 'fix_input', 'ask_user', 'reauth'].includes(recovery)) ||
      (['fix', 'other', 'ask', 'login'].some((said) => says.has(said)) && recovery === 'wait') ||
      (says.has('operator') && ['fix_input', 'wait'].includes(recovery)) ||
      (says.has('unchanged') && warns) ||
      (says.has('maychanged') && !warns && recovery === 'wait'),
    falseEffect: warns && entry.effect === 'none',
    unsafeRepeat: retryable && !warns && isLate,
    unwarned: isLate ? !warns : undefined,
    retryable: entry.retryable === null ? undefined : entry.retryable === retryable,
  };
}

/** A throw site with what a model would be told about it. */
export interface JudgedCase {
  readonly entry: AuthorCase;
  readonly failure: Failure;
  readonly judgement: Judgement;
}

/** Reads every throw site the given way and compares it with what is known. */
export async function judgeCases(cases: readonly AuthorCase[], reading: AuthorReading): Promise<JudgedCase[]> {
  const judged: JudgedCase[] = [];
  for (const entry of cases) {
    const failure = await readAuthorCase(entry, reading);
    judged.push({ entry, failure, judgement: judge(entry, failure) });
  }
  return judged;
}

/** Counts one column. */
export function shareOfJudgements(judged: readonly JudgedCase[], column: keyof Judgement): Share {
  const known = judged.map(({ judgement }) => judgement[column]).filter((value) => value !== undefined);
  return { right: known.filter(Boolean).length, of: known.length };
}
