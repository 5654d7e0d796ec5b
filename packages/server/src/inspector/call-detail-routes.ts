import {
  type CallFilter,
  causeOf,
  type FailureReport,
  type JsonObject,
  type ListedCall,
  type Outcome,
  type RecordedCall,
  type ReportedError,
} from 'toolpact';
import { hasScope, type Identity } from '../auth/identity.ts';
import { describe, queryParameter } from '../openapi/operation.ts';
import { guardSchemas, object } from '../openapi/shared-schemas.ts';
import { schemaRef } from '../openapi/to-component.ts';
import { encodeJson } from '../request/encode-outcome.ts';
import { type HttpAnswer, isAnswer } from '../request/http-answer.ts';
import { traceOf } from '../request/refusal.ts';
import type { Route, RouteRequest } from '../request/route.ts';
import type { ServerState } from '../request/server-state.ts';
import { compareCalls } from '../routes/compare-calls.ts';
import { readQuery } from '../routes/read-query.ts';
import { exampleId, findVisible, idParameter, listVisible, tenantParameter } from '../routes/visible-calls.ts';
import { baseOf } from './base-of.ts';
import { keptTexts } from './kept-texts.ts';
import type { Cause, Related } from './page-answers.ts';
import { readingsOf } from './readings.ts';

const text: JsonObject = { type: 'string' };
const listedCalls: JsonObject = { type: 'array', items: schemaRef('ListedCall') };
const thrown = object({ name: text, message: text, stack: text }, ['name', 'message']);
const wireHeaders: JsonObject = { type: 'object', additionalProperties: text };
const wireRequest = object({ method: text, path: text, headers: wireHeaders, body: text });
const wireAnswer = object({ status: { type: 'integer' }, headers: wireHeaders, body: text });
const maxRelated = 100;

/** The routes that show more of one call: what its readers get, why it failed, which calls belong to it, and forms to keep it in. */
export const callDetailRoutes: readonly Route[] = [
  detailRoute('readings', {
    show({ outcome, input }, request, server) {
      if (outcome === undefined) return server.refuse(request, 'not_found', 'The call has not ended, so nothing was read of it yet.');
      const whole = { ...outcome, input } as Outcome;
      return readingsOf(whole, server.toolbox, server.formats.dialects, readQuery(request.head, 'form') || undefined);
    },
    docs: describeDetail('readReadings', 'Read what a model saw of a call', 'In the form of each provider, and in each dialect.', {
      parameters: [queryParameter('form', 'Only this form or dialect, in full.', text, 'anthropic')],
      schema: object(
        {
          readings: { type: 'array', items: object({ form: text, label: text, language: { enum: ['text', 'json'] }, text }) },
          dialects: { type: 'array', items: object({ name: text, text }) },
          isCut: { type: 'boolean', description: 'Whether large data was cut for this view.' },
        },
        ['readings', 'dialects'],
      ),
    }),
  }),
  detailRoute('cause', {
    // Asked before the call is looked for: who may not see causes does not learn which calls there are.
    admit(request, server) {
      const { identity } = request;
      if (maySeeCauses(server, identity)) return undefined;
      return server.refuse(request, 'forbidden', 'The causes of failures are not shown here.', { denied: 'forbidden', identity });
    },
    show(found, _, server) {
      const report = keptCause(found);
      return report?.error === undefined ? {} : toCause(report.error, server);
    },
    docs: describeDetail(
      'readCause',
      'Read the error behind a failure',
      'With its stack. Only where the server allows it; the causes of the last 256 failures of the process are kept. Empty for a call of which none is kept.',
      {
        schema: object(
          {
            name: text,
            message: text,
            stack: text,
            source: object({
              file: text,
              line: { type: 'integer' },
              column: { type: 'integer' },
              from: { type: 'integer' },
              lines: { type: 'array', items: text },
            }),
            causes: { type: 'array', items: thrown },
          },
          [],
        ),
      },
    ),
  }),
  detailRoute('wire', {
    admit(request, server) {
      const { identity } = request;
      if (server.wire !== undefined && maySeeCauses(server, identity)) return undefined;
      return server.refuse(request, 'forbidden', 'The messages of calls are not shown here.', { denied: 'forbidden', identity });
    },
    show: ({ id }, _, { wire }) => ({ messages: wire?.of(id) ?? [] }),
    docs: describeDetail(
      'readWire',
      'Read the messages that made a call',
      'The requests and answers as they were on the wire, without secrets, long bodies cut. Only where the server keeps them: those of the last 256 requests of the process that made calls.',
      { schema: object({ messages: { type: 'array', items: object({ request: wireRequest, answer: wireAnswer }) } }, ['messages']) },
    ),
  }),
  detailRoute('related', {
    async show({ id, runId, key, replayOf, tenantId }, request, server) {
      const list = async (filter: CallFilter | undefined): Promise<readonly ListedCall[] | HttpAnswer> => {
        if (filter === undefined) return [];
        const page = await listVisible(request, server, { ...filter, tenantId, limit: maxRelated + 1 });
        return isAnswer(page) ? page : page.calls.filter((call) => call.id !== id).slice(0, maxRelated);
      };
      const lists = await Promise.all([
        list(runId === undefined ? undefined : { runId }),
        list(key === undefined ? undefined : { key }),
        list({ replayOf: replayOf ?? id }),
      ]);
      const refusal = lists.find(isAnswer);
      if (refusal !== undefined) return refusal;
      const [run = [], byKey = [], replays = []] = lists as (readonly ListedCall[])[];
      return { run: run.toReversed(), key: byKey, replays } satisfies Related;
    },
    docs: describeDetail(
      'listRelated',
      'List calls that belong to a call',
      'Those of the same run, oldest first; those with the same idempotency key; and those that were answered with the same outcome. At most 100 each.',
      { schema: object({ run: listedCalls, key: listedCalls, replays: listedCalls }), schemas: { ListedCall: guardSchemas.ListedCall } },
    ),
  }),
  detailRoute('difference', {
    async show(found, request, server) {
      const other = readQuery(request.head, 'with');
      if (!other) return server.refuse(request, 'invalid_input', 'with must be the id of another call.');
      const second = await findVisible({ ...request, param: other }, server);
      return isAnswer(second) ? second : { differences: compareCalls(found, second) };
    },
    docs: describeDetail(
      'compareCalls',
      'Compare a call with another',
      'Arguments, how they ended, steps, results, and times where they differ notably. What is the same is left out.',
      {
        parameters: [queryParameter('with', 'The id of the other call.', text, exampleId)],
        schema: object({ differences: { type: 'array', items: object({ field: text, a: text, b: text }, ['field', 'a', 'b']) } }, [
          'differences',
        ]),
      },
    ),
  }),
  detailRoute('kept', {
    show(found, { head }, { settings: { authenticators, inspector } }) {
      return keptTexts(found, { base: baseOf(head), hasAuth: authenticators.length > 0, version: inspector?.version });
    },
    docs: describeDetail(
      'keepCall',
      'Export a call as a command, as code, as a test and as a report',
      'Arguments come from the list: secrets in them are hidden.',
      {
        parameters: [queryParameter('base', 'The public address of this server.', text, 'https://tools.example.com/')],
        schema: object({ curl: text, client: text, test: text, report: text }),
      },
    ),
  }),
];

interface Detail {
  /** Refuses who may not ask. */
  readonly admit?: (request: RouteRequest, server: ServerState) => HttpAnswer | undefined;
  readonly show: (found: RecordedCall, request: RouteRequest, server: ServerState) => object | HttpAnswer | Promise<object | HttpAnswer>;
  readonly docs: NonNullable<Route['docs']>;
}

/** Creates a route that shows something of a call which its caller may see. */
function detailRoute(name: string, { admit, show, docs }: Detail): Route {
  return {
    method: 'GET',
    path: `/v1/calls/{id}/${name}`,
    needs: 'store',
    async run(request, server) {
      const refusal = admit?.(request, server);
      if (refusal !== undefined) return refusal;
      const found = await findVisible(request, server);
      if (isAnswer(found)) return found;
      const shown = await show(found, request, server);
      return isAnswer(shown) ? shown : encodeJson(traceOf(request.head), shown);
    },
    docs,
  };
}

/** Checks whether a caller may read the errors behind failures. */
export function maySeeCauses({ settings }: ServerState, identity: Identity): boolean {
  return settings.inspector?.causes === true && (settings.authenticators.length === 0 || hasScope(identity, 'admin'));
}

/** Callers may give two calls the same id, and the cause of one must not be shown for the other. */
function keptCause({ tool, outcome }: RecordedCall): FailureReport | undefined {
  if (outcome?.status !== 'error') return undefined;
  const { debugId, kind, message } = outcome.error;
  const report = causeOf(debugId);
  return report?.tool === tool && report.failure.kind === kind && report.failure.message === message ? report : undefined;
}

function toCause(error: ReportedError, { settings }: ServerState): Cause {
  const { cause, ...own } = error;
  const source = own.stack === undefined ? undefined : settings.inspector?.readSource?.(own.stack);
  const causes: Omit<ReportedError, 'cause'>[] = [];
  for (let next = cause; next !== undefined; next = next.cause) {
    const { cause: _, ...shown } = next;
    causes.push(shown);
  }
  return { ...own, ...(source && { source }), causes };
}

function describeDetail(
  operationId: string,
  summary: string,
  description: string,
  {
    schema,
    schemas,
    parameters = [],
  }: { readonly schema: JsonObject; readonly schemas?: JsonObject; readonly parameters?: readonly JsonObject[] },
): NonNullable<Route['docs']> {
  return describe('Stored calls', operationId, summary, description, {
    parameters: [idParameter, tenantParameter, ...parameters],
    gives: ['The answer.', schema],
    fails: [404],
    ...(schemas && { schemas }),
  });
}
