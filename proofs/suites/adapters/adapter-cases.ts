import {
  type AnyTool,
  catalogue,
  createToolbox,
  defineTool,
  type FailureKind,
  fail,
  type Outcome,
  ok,
  partial,
  pending,
  type Reply,
  type StandardSchemaV1,
  type Toolbox,
} from 'toolpact';

/** A way for a call to end, and what must be known of it on the other side. */
export interface AdapterCase {
  readonly title: string;
  readonly reply: () => Reply<unknown> | unknown;
  readonly status: 'ok' | 'partial' | 'error' | 'pending';
  readonly kind?: FailureKind;
  readonly code?: string;
  /** Words that the model must read, each of them. */
  readonly words: readonly string[];
  /** Instead of the words, one of these is enough: a block that arrives, or one that is named because the host cannot take it. */
  readonly anyOf?: readonly string[];
}

const kinds = Object.keys(catalogue) as FailureKind[];
const codeOf = (kind: FailureKind): string => `own_${kind}`;
const block = 'aGVsbG8=';

/** Every kind of failure, by its own code and without, and every other way a call can end. */
export const adapterCases: readonly AdapterCase[] = Object.freeze([
  ...kinds.map((kind): AdapterCase => {
    const message = `Case ${kind} came about.`;
    return { title: kind, reply: () => fail(kind, message), status: 'error', kind, words: [`error: ${kind}`, message] };
  }),
  ...kinds.map((kind): AdapterCase => {
    const [code, message] = [codeOf(kind), `Case ${kind} came about with a code.`];
    return {
      title: `${kind} with a code`,
      reply: () => fail(kind, message, { code }),
      status: 'error',
      kind,
      code,
      words: [code, message],
    };
  }),
  { title: 'an object', reply: () => ({ answer: 'forty-two' }), status: 'ok', words: ['forty-two'] },
  { title: 'a text', reply: () => 'forty-two', status: 'ok', words: ['forty-two'] },
  { title: 'nothing', reply: () => undefined, status: 'ok', words: [] },
  { title: 'an empty list', reply: () => ok([], { empty: true }), status: 'ok', words: [] },
  {
    title: 'a partial result',
    reply: () => partial(['first'], [{ index: 1, id: 'second', error: fail('timeout', 'The second took too long.') }]),
    status: 'partial',
    words: ['1 of 2 failed', 'first', 'The second took too long.'],
  },
  ...(['approval', 'input', 'running', 'host'] as const).map(
    (reason): AdapterCase => ({
      title: `pending: ${reason}`,
      reply: () => pending({ handle: `job-${reason}`, reason }),
      status: 'pending',
      words: [`job-${reason}`, 'pending'],
    }),
  ),
  {
    title: 'an image',
    reply: () => ok('seen', { content: [{ type: 'image', data: block, mimeType: 'image/png' }] }),
    status: 'ok',
    words: [],
    anyOf: [block, 'image/png'],
  },
  {
    title: 'a sound',
    reply: () => ok('heard', { content: [{ type: 'audio', data: block, mimeType: 'audio/wav' }] }),
    status: 'ok',
    words: [],
    anyOf: [block, 'audio/wav'],
  },
  {
    title: 'a resource',
    reply: () => ok('linked', { content: [{ type: 'resource', uri: 'https://example.com/report.pdf' }] }),
    status: 'ok',
    words: [],
    anyOf: ['https://example.com/report.pdf'],
  },
  {
    title: 'text blocks',
    reply: () => ok({ n: 1 }, { content: [{ type: 'text', text: 'One thing was found.' }] }),
    status: 'ok',
    words: ['One thing was found.'],
  },
]);

/** The tool that ends as its arguments say. */
export const caseTool = 'conclude';

/** Creates a toolbox with one tool, whose argument is the title of a case. */
export function createCaseToolbox(onEnd: (outcome: Outcome) => void = () => undefined): Toolbox<readonly AnyTool[]> {
  const tool = defineTool({
    name: caseTool,
    description: 'Ends as its arguments say.',
    input,
    effects: 'none',
    failures: Object.fromEntries(kinds.map((kind) => [codeOf(kind), kind])),
    run: ({ how }) => adapterCases.find(({ title }) => title === how)?.reply(),
  });
  const toolbox = createToolbox([tool as AnyTool], { report: () => undefined });
  toolbox.subscribe((event) => event.type === 'call-end' && onEnd(event.outcome));
  return toolbox;
}

const jsonSchema = { type: 'object', properties: { how: { type: 'string' } }, required: ['how'], additionalProperties: false };

/** By hand, because the package has no schema library of its own. */
const input: StandardSchemaV1<{ how: string }> = {
  '~standard': {
    version: 1,
    vendor: 'toolpact',
    validate: (value) => {
      const { how } = value as { how?: unknown };
      return typeof how === 'string' ? { value: { how } } : { issues: [{ message: 'expected a string', path: ['how'] }] };
    },
    jsonSchema: { input: () => jsonSchema, output: () => jsonSchema },
  },
};
