import { type Check, defineCheck, type Problem } from '@toolpact/testing';
import type { Outcome } from 'toolpact';
import type { Dialect } from 'toolpact/dialects';
import { isSame, lostPaths } from '../../../packages/testing/src/lost-paths.ts';
import { hostileEnvelopes } from './hostile-envelopes.ts';
import { sampleOutcomes } from './sample-outcomes.ts';

/** Sends a value over a wire. */
function overWire<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function* eachOutcome(judge: (outcome: Outcome) => string | undefined): Generator<Problem> {
  for (const sample of sampleOutcomes) {
    // A subject that changes what it is given must not spoil what the others are given.
    const outcome = overWire(sample);
    const message = attempt(() => judge(outcome));
    if (message !== undefined) yield { message, evidence: outcome };
  }
}

function attempt(judge: () => string | undefined): string | undefined {
  try {
    return judge();
  } catch (thrown) {
    return `it threw: ${String(thrown)}`;
  }
}

const extension = /"_toolpact"|"toolpact\/outcome"/;

/** The promises of every dialect, one check each. */
export const dialectChecks: readonly Check<Dialect>[] = [
  defineCheck({
    id: 'dialect/encodes-json',
    requirement: 'Every outcome is written as plain JSON, strictly or not, and stays as it was.',
    level: 'must',
    run: (dialect) =>
      eachOutcome((outcome) => {
        const before = JSON.stringify(outcome);
        for (const strict of [true, false]) {
          const envelope = dialect.encode(outcome, { strict });
          if (!isSame(overWire(envelope), envelope)) return 'the envelope is not plain JSON';
        }
        return JSON.stringify(outcome) === before ? undefined : 'encode changed the outcome';
      }),
  }),
  defineCheck({
    id: 'dialect/round-trip',
    requirement: 'An outcome that is written with the extension is read back as it was.',
    level: 'must',
    run: (dialect) =>
      eachOutcome((outcome) => {
        const decoded = dialect.decode(overWire(dialect.encode(outcome)));
        if (!decoded.ok) return `it cannot read what it wrote: ${decoded.failure.message}`;
        return isSame(decoded.outcome, outcome)
          ? undefined
          : `it reads back differently: ${lostPaths(outcome, decoded.outcome).join(', ')}`;
      }),
  }),
  defineCheck({
    id: 'dialect/strict',
    requirement: 'A strict envelope carries no extension.',
    level: 'must',
    run: (dialect) =>
      eachOutcome((outcome) => {
        // Some payloads have a key of that name, which is theirs.
        if (extension.test(JSON.stringify(outcome))) return undefined;
        const strict = JSON.stringify(dialect.encode(outcome, { strict: true }));
        return extension.test(strict) ? 'the extension is there although strict was asked for' : undefined;
      }),
  }),
  defineCheck({
    id: 'dialect/losses',
    requirement: 'What a strict envelope loses is in the loss table.',
    level: 'must',
    run: (dialect) =>
      eachOutcome((outcome) => {
        const decoded = dialect.decode(overWire(dialect.encode(outcome, { strict: true })));
        if (!decoded.ok) return `it cannot read its own strict envelope: ${decoded.failure.message}`;
        const untold = lostPaths(outcome, decoded.outcome).filter((path) => !dialect.losses.some((loss) => covers(loss.path, path)));
        return untold.length === 0 ? undefined : `it loses what its table does not list: ${untold.join(', ')}`;
      }),
  }),
  defineCheck({
    id: 'dialect/failures-stay-failures',
    requirement: 'No failure reads as a success, strictly written or not.',
    level: 'must',
    run: (dialect) =>
      eachOutcome((outcome) => {
        if (outcome.status !== 'error') return undefined;
        const read = [true, false].map((strict) => dialect.decode(overWire(dialect.encode(outcome, { strict }))));
        return read.some((decoded) => decoded.ok && decoded.outcome.status !== 'error')
          ? `${outcome.error.kind} reads as a success`
          : undefined;
      }),
  }),
  defineCheck({
    id: 'dialect/detects-itself',
    requirement: 'Its own envelopes are recognised, and things that are no envelope are not.',
    level: 'must',
    *run(dialect) {
      for (const strict of [true, false]) {
        yield* eachOutcome((outcome) =>
          dialect.detect(overWire(dialect.encode(outcome, { strict }))) ? undefined : 'it does not recognise its own envelope',
        );
      }
      for (const [title, make] of hostileEnvelopes) {
        const message = attempt(() => (dialect.detect(make()) ? `it takes ${title} for its own envelope` : undefined));
        if (message !== undefined) yield { message };
      }
    },
  }),
  defineCheck({
    id: 'dialect/refuses',
    requirement: 'What is no envelope is a bad_response that says why; reading never throws.',
    level: 'must',
    *run(dialect) {
      for (const [title, make] of hostileEnvelopes) {
        const message = attempt(() => {
          const decoded = dialect.decode(make());
          if (decoded.ok) return `it reads ${title} as an outcome`;
          if (decoded.failure.kind !== 'bad_response') return `it calls ${title} ${decoded.failure.kind} instead of bad_response`;
          if (decoded.failure.retryable) return `it calls ${title} retryable`;
          return decoded.failure.message === '' ? `it does not say what is wrong with ${title}` : undefined;
        });
        if (message !== undefined) yield { message };
      }
    },
  }),
  defineCheck({
    id: 'dialect/tells-missing-from-wrong',
    requirement: 'A refused envelope says whether a field is missing or wrong.',
    level: 'should',
    *run(dialect) {
      const envelope = overWire(dialect.encode(sampleOutcomes[0] as Outcome, { strict: true })) as Readonly<Record<string, unknown>>;
      for (const key of Object.keys(envelope)) {
        const { [key]: _, ...without } = envelope;
        const [missing, wrong] = [dialect.decode(without), dialect.decode({ ...envelope, [key]: [[key]] })];
        if (missing.ok || wrong.ok) continue;
        const [first, second] = [missing.failure.issues?.[0], wrong.failure.issues?.[0]];
        if (first === undefined || second === undefined || first.problem === second.problem) {
          yield { message: `it does not tell whether ${key} is missing or wrong`, evidence: [missing.failure, wrong.failure] };
        }
      }
    },
  }),
  defineCheck({
    id: 'dialect/newer-kinds',
    requirement: 'A kind that only a newer peer knows reads as internal with the kind in code, never as retryable.',
    level: 'must',
    *run(dialect) {
      const outcome = sampleOutcomes.find((sample) => sample.status === 'error' && sample.error.kind === 'timeout') as Outcome;
      const text = JSON.stringify(dialect.encode(outcome)).replaceAll('"kind":"timeout"', '"kind":"brand_new"');
      const decoded = dialect.decode(JSON.parse(text));
      if (!text.includes('brand_new') || !decoded.ok) return;
      const { error } = decoded.outcome as Extract<Outcome, { status: 'error' }>;
      if (error?.kind !== 'internal' || error.code !== 'brand_new' || error.retryable)
        yield { message: 'it does not read an unknown kind as internal', evidence: error };
    },
  }),
  defineCheck({
    id: 'dialect/schema',
    requirement: 'The envelope is exported as a JSON Schema.',
    level: 'should',
    *run(dialect) {
      const schema = dialect.jsonSchema();
      if (Object.keys(schema).length === 0 || !isSame(overWire(schema), schema))
        yield { message: 'jsonSchema() gives no schema', evidence: schema };
    },
  }),
];

function covers(loss: string, path: string): boolean {
  return path === loss || path.startsWith(`${loss}.`);
}
