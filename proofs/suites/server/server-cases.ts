import type { StandardSchemaV1 } from '../../../packages/toolpact/src/contract/index.ts';
import {
  catalogue,
  type FailureKind,
  fail,
  httpStatus,
  makeFailure,
  ok,
  partial,
  pending,
} from '../../../packages/toolpact/src/outcome/index.ts';
import { type AnyTool, defineTool } from '../../../packages/toolpact/src/runtime/index.ts';

/** A way for a call to end, and its form in HTTP. */
export interface ServerCase {
  readonly title: string;
  readonly reply: () => unknown;
  readonly outcome: 'ok' | 'partial' | 'error' | 'pending';
  readonly kind?: FailureKind;
  readonly http: number;
  /** The value of `Retry-After`; undefined if it must be absent. */
  readonly retryAfter?: string;
}

const upstream = { status: 401, endpoint: 'https://api.example.com/v1' };

/** Every kind of failure, those whose status depends on more than their kind, and every other way a call can end. */
export const serverCases: readonly ServerCase[] = Object.freeze([
  ...(Object.keys(catalogue) as FailureKind[]).map(
    (kind): ServerCase => ({
      title: kind,
      reply: () => fail(kind, `Case ${kind} came about.`),
      outcome: 'error',
      kind,
      http: httpStatus(makeFailure(kind, { message: kind })),
    }),
  ),
  ...(['unauthenticated', 'forbidden'] as const).map(
    (kind): ServerCase => ({
      title: `${kind} upstream`,
      reply: () => fail(kind, 'The other side said no.', { upstream }),
      outcome: 'error',
      kind,
      http: httpStatus(makeFailure(kind, { message: kind, upstream })),
    }),
  ),
  {
    title: 'rate_limited for a while',
    reply: () => fail('rate_limited', 'Too many.', { retryAfterMs: 1200 }),
    outcome: 'error',
    kind: 'rate_limited',
    http: 429,
    retryAfter: '2',
  },
  { title: 'ok', reply: () => ok({ answer: 'forty-two' }), outcome: 'ok', http: 200 },
  {
    title: 'partial',
    reply: () => partial(['first'], [{ index: 1, error: fail('timeout', 'The second took too long.') }]),
    outcome: 'partial',
    http: 207,
  },
  {
    title: 'pending',
    reply: () => pending({ handle: 'job-1', reason: 'host', pollAfterMs: 2500 }),
    outcome: 'pending',
    http: 202,
    retryAfter: '3',
  },
]);

/** A secret that must not be seen outside: in the message of an error that one of the tools throws, and beside it. */
export const secretToken = 'sk-proj-Zx81Kq0Vw7Lm3Np5Rt9Uy2';

/** The names of the tools below. */
export const caseTools = {
  /** Ends as its arguments say. */
  conclude: 'conclude',
  /** Throws an error that says too much. */
  blurt: 'conclude_blurting',
  /** Returns the context of its call. */
  context: 'conclude_context',
  /** Changes something: counts its runs. */
  count: 'conclude_counting',
} as const;

/** Creates the tools that `checkServer` asks a server to serve; without them it judges only what needs no tool. Guards are the server's own, `idempotency` among them. */
export function serverCaseTools(): readonly AnyTool[] {
  let runs = 0;
  return [
    defineTool({
      name: caseTools.conclude,
      description: 'Ends as its arguments say.',
      input: objectWith('how'),
      effects: 'none',
      run: ({ how }): unknown => serverCases.find(({ title }) => title === how)?.reply() ?? { how },
    }),
    defineTool({
      name: caseTools.blurt,
      description: 'Throws an error that says too much.',
      effects: 'none',
      run: () => {
        throw new Error(`cannot open the vault with ${secretToken}`);
      },
    }),
    defineTool({
      name: caseTools.context,
      description: 'Returns the context of its call.',
      effects: 'none',
      run: (_, { tenantId, traceId, runId, ids, sessionId }) => ({ tenantId, traceId, runId, caseId: ids?.caseId, sessionId }),
    }),
    defineTool({
      name: caseTools.count,
      description: 'Counts how often it ran.',
      input: objectWith('what'),
      run: ({ what }) => {
        runs += 1;
        return { what, runs };
      },
    }),
  ];
}

/** By hand, because the package has no schema library of its own. */
function objectWith<TName extends string>(name: TName): StandardSchemaV1<Record<TName, string>> {
  const schema = { type: 'object', properties: { [name]: { type: 'string' } }, required: [name], additionalProperties: false };
  return {
    '~standard': {
      version: 1,
      vendor: 'toolpact',
      validate: (value) => {
        const given = (value as Readonly<Record<string, unknown>>)[name];
        return typeof given === 'string'
          ? { value: { [name]: given } as Record<TName, string> }
          : { issues: [{ message: 'expected a string', path: [name] }] };
      },
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
