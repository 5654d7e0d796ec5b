import { type Check, defineCheck, type Problem } from '@toolpact/testing';
import { type AnyTool, createToolbox, type Outcome } from 'toolpact';
import { type AdapterCase, adapterCases, caseTool, createCaseToolbox } from './adapter-cases.ts';
import type { AdapterAnswer, AdapterSubject } from './adapter-subject.ts';

/** One call and all that could be seen of it. */
interface Seen {
  readonly id: string;
  readonly answer: AdapterAnswer | { readonly thrown: unknown };
  readonly outcomes: readonly Outcome[];
}

type Observed = readonly (Seen & { readonly what: AdapterCase })[];

const observed = new WeakMap<AdapterSubject, Promise<Observed>>();

/** Makes all calls once, however many checks look at them. */
function observe(adapter: AdapterSubject): Promise<Observed> {
  const known = observed.get(adapter);
  if (known !== undefined) return known;
  const seen = seeAll(adapter);
  observed.set(adapter, seen);
  return seen;
}

async function seeAll(adapter: AdapterSubject): Promise<Observed> {
  const all: (Seen & { what: AdapterCase })[] = [];
  for (const [index, what] of adapterCases.entries()) {
    all.push({ what, ...(await seeOne(adapter, `call-${index}`, caseTool, { how: what.title })) });
  }
  return all;
}

async function seeOne(adapter: AdapterSubject, id: string, name: string, args: unknown): Promise<Seen> {
  const outcomes: Outcome[] = [];
  const call = { id, name, args, json: JSON.stringify(args) };
  const run = { toolbox: createCaseToolbox((outcome) => void outcomes.push(outcome)), call };
  try {
    return { id, answer: await adapter.run(run), outcomes };
  } catch (thrown) {
    return { id, answer: { thrown }, outcomes };
  }
}

type Judge = (what: AdapterCase, answer: AdapterAnswer, seen: Seen) => string | undefined;

async function eachCase(adapter: AdapterSubject, judge: Judge): Promise<Problem[]> {
  const found: Problem[] = [];
  for (const { what, ...seen } of await observe(adapter)) {
    // A run that threw is found by the first check and says nothing about the others.
    const message = 'thrown' in seen.answer ? undefined : judge(what, seen.answer, seen);
    if (message !== undefined) found.push({ message: `${what.title}: ${message}`, evidence: seen });
  }
  return found;
}

/** The promises of every adapter, one check each. */
export const adapterChecks: readonly Check<AdapterSubject>[] = [
  defineCheck({
    id: 'adapter/answers',
    requirement: 'However a call ends, the run goes on and the model gets an answer under the id of its call.',
    level: 'must',
    async run(adapter) {
      const found: Problem[] = [];
      for (const { what, answer } of await observe(adapter)) {
        if ('thrown' in answer) found.push({ message: `${what.title}: the run threw ${String(answer.thrown)}` });
        else if (!answer.ended) found.push({ message: `${what.title}: the run did not reach its end`, evidence: answer });
        else if (answer.text === undefined || answer.text === '') found.push({ message: `${what.title}: the call was not answered` });
      }
      return found;
    },
  }),
  defineCheck({
    id: 'adapter/flag',
    requirement: "Failures carry the host's own flag, and nothing else does.",
    level: 'must',
    run: (adapter) =>
      eachCase(adapter, ({ status }, { failed }) => {
        if (failed === undefined || failed === (status === 'error')) return undefined;
        return failed ? 'it is flagged as a failure' : 'it is not flagged as a failure';
      }),
  }),
  defineCheck({
    id: 'adapter/text',
    requirement: 'The model reads what happened: kind and message of a failure, data, the failed parts, what is waited for.',
    level: 'must',
    run: (adapter) =>
      eachCase(adapter, ({ words }, { text = '' }) => {
        const missing = words.filter((word) => !text.includes(word));
        return missing.length === 0 ? undefined : `the model does not read ${missing.map((word) => `"${word}"`).join(', ')}`;
      }),
  }),
  defineCheck({
    id: 'adapter/content',
    requirement: 'Images, sounds and resources arrive, or are named where the host cannot carry them.',
    level: 'must',
    run: (adapter) =>
      eachCase(adapter, ({ anyOf }, { text = '' }) =>
        anyOf === undefined || anyOf.some((word) => text.includes(word)) ? undefined : 'it vanished without a word',
      ),
  }),
  defineCheck({
    id: 'adapter/outcome',
    requirement: 'The listeners of the toolbox hear every call end once, with its kind, its code and the id of its call.',
    level: 'must',
    run: (adapter) =>
      eachCase(adapter, ({ status, kind, code }, _, { id, outcomes }) => {
        const [outcome] = outcomes;
        if (outcome === undefined || outcomes.length > 1) return `the application heard ${outcomes.length} outcomes`;
        return differenceOf(outcome, { status, kind, code, callId: id });
      }),
  }),
  defineCheck({
    id: 'adapter/refusals',
    requirement: 'Arguments that break the schema and names that no tool has are answered like any failure.',
    level: 'must',
    async run(adapter) {
      const found: Problem[] = [];
      for (const [title, name, args, kind, word] of refusals) {
        const { answer, outcomes } = await seeOne(adapter, 'call-refused', name, args);
        const text = 'thrown' in answer ? undefined : answer.text;
        const [outcome] = outcomes;
        // Some hosts answer by themselves what they do not pass on; that is fine as long as they say what it was.
        const isTold = text !== undefined && (text.includes(kind) || text.includes(word));
        if (!isTold) found.push({ message: `${title}: the model reads neither "${kind}" nor "${word}"`, evidence: answer });
        else if (outcome?.status !== 'error' || outcome.error.kind !== kind)
          found.push({ message: `${title}: the application does not hear of it` });
      }
      return found;
    },
  }),
  defineCheck({
    id: 'adapter/inbound',
    requirement: "A host's own tools, wrapped, end as they did in the host: status, kind, code, message and call id.",
    level: 'must',
    async run(adapter) {
      if (adapter.wrap === undefined) return [];
      const inside: Outcome[] = [];
      const tools: readonly AnyTool[] = await adapter.wrap(createCaseToolbox((outcome) => void inside.push(outcome)));
      const toolbox = createToolbox(tools, { report: () => undefined });
      const found: Problem[] = [];
      for (const [index, { title, status, kind, code, words }] of adapterCases.entries()) {
        const callId = `inbound-${index}`;
        const outcome = await toolbox.answer({ name: caseTool, args: { how: title }, callId });
        const text = JSON.stringify(outcome);
        const missing = status === 'error' ? words.slice(1).filter((word) => !text.includes(word)) : [];
        const heard = inside.at(-1)?.meta.callId;
        const message =
          differenceOf(outcome, { status, kind, code, callId }) ??
          (heard === callId ? undefined : `the host's tool was called under the id ${heard} instead of ${callId}`) ??
          (missing.length === 0 ? undefined : `it lost "${missing.join('", "')}"`);
        if (message !== undefined) found.push({ message: `${title}: ${message}`, evidence: outcome });
      }
      return found;
    },
  }),
];

const refusals = [
  ['bad arguments', caseTool, { how: 7 }, 'invalid_input', 'how'],
  ['an unknown name', 'no_such_tool', {}, 'unknown_tool', 'no_such_tool'],
] as const;

interface Facts {
  readonly status: string;
  readonly kind: string | undefined;
  readonly code: string | undefined;
  readonly callId: string;
}

function differenceOf(outcome: Outcome, expected: Facts): string | undefined {
  const { kind, code } = outcome.status === 'error' ? outcome.error : { kind: undefined, code: undefined };
  const actual: Facts = { status: outcome.status, kind, code, callId: outcome.meta.callId ?? '' };
  const wrong = (Object.keys(expected) as (keyof Facts)[]).find((key) => actual[key] !== expected[key]);
  return wrong === undefined ? undefined : `its ${wrong} is ${actual[wrong]} instead of ${expected[wrong]}`;
}
