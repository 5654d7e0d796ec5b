import type { Hono } from 'hono';
import type { CallEndEvent, CallStartEvent } from '../../../core/events/index.ts';
import { fail, isFailureKind, type Outcome } from '../../../core/outcome/index.ts';
import { hasScope, type Identity, mayCall } from '../auth/identity.ts';
import { traceOf } from '../request/refusal.ts';
import { toAsked } from '../request/request-head.ts';
import { encodeForm, type FormName, formNames, selectForm } from '../request/response-format.ts';
import type { ServedToolbox, ServerParts } from '../server-options.ts';
import { checkReading, readsResult } from './authorize-result-read.ts';
import { readCount } from './tool-routes.ts';

/** Methods that guards add to a toolbox, with the guard that adds each. */
const guards = { findCall: 'journal', readResult: 'spill', wait: 'defer', settle: 'defer' } as const;
type Method = keyof typeof guards;
type Reach<TMethod extends Method> = { readonly identity: Identity; readonly method: NonNullable<ServedToolbox[TMethod]> };

/** Adds the routes that tell what became of calls: by id, results by reference, and calls that are not over yet. All are those of the caller's tenant. */
export function addRecallRoutes(app: Hono, parts: ServerParts): void {
  app.get('/v1/calls/:id', async ({ req }) => {
    const reach = await reachFor(parts, req.raw, 'findCall');
    if (reach instanceof Response) return reach;
    const form = formFor(req.raw, 'outcome');
    if (form === undefined) return refuseForm(parts, req.raw);
    const found = await ask(() => reach.method(req.param('id')));
    if (found === failed) return refuseStore(parts, req.raw);
    if (found === undefined || !(await mayRecall(parts, reach.identity, found.start)))
      return parts.refuse(req.raw, 'not_found', 'There is no such call.');
    return parts.json(
      req.raw,
      toRecord(found.start, found.end, (outcome) => encodeForm(outcome, form)),
    );
  });

  app.get('/v1/results/:ref', async ({ req }) => {
    const reach = await reachFor(parts, req.raw, 'readResult');
    if (reach instanceof Response) return reach;
    const offset = readCount(req.query('offset'), 0, 0);
    const limit = readCount(req.query('limit'), 0, 1);
    if (offset === undefined || limit === undefined) {
      return parts.refuse(req.raw, 'invalid_input', 'offset must be a whole number from 0, limit one from 1.');
    }
    const refused = await checkReading(parts.toolbox, reach.identity, req.param('ref'));
    if (refused !== undefined) {
      const { kind, message, maker } = refused;
      const { identity } = reach;
      return parts.refuse(req.raw, kind, message, maker === undefined ? {} : { denied: 'forbidden', identity, meant: maker });
    }
    const path = req.query('path');
    const page = { offset, ...(limit > 0 && { limit: Math.min(limit, 100_000) }), ...(path !== undefined && { path }) };
    const outcome = await reach.method(req.param('ref'), page);
    return respond(parts, req.raw, withTrace(outcome, traceOf(toAsked(req.raw))));
  });

  app.get('/v1/pending/:handle', async ({ req }) => {
    const reach = await reachFor(parts, req.raw, 'wait');
    if (reach instanceof Response) return reach;
    const seconds = readSeconds(req.query('wait'));
    if (seconds === undefined) return parts.refuse(req.raw, 'invalid_input', 'wait must be seconds from 0.');
    const timeoutMs = Math.min(seconds * 1000, parts.options.maxWaitMs ?? 30_000);
    const outcome = await parts.inFlight.wait(req.raw.signal, (signal) => reach.method(req.param('handle'), { timeoutMs, signal }));
    const { tool } = outcome.meta;
    if (tool !== undefined && !mayCall(reach.identity, tool)) return parts.refuse(req.raw, 'not_found', 'There is no such pending call.');
    return respond(parts, req.raw, outcome);
  });

  app.post('/v1/pending/:handle', async ({ req }) => {
    const reach = await reachFor(parts, req.raw, 'settle');
    if (reach instanceof Response) return reach;
    const { identity, method } = reach;
    if (!hasScope(identity, 'pending:settle')) {
      return parts.refuse(req.raw, 'forbidden', 'This credential may not settle calls.', { denied: 'forbidden', identity });
    }
    const body = await parts.readJson(req.raw);
    if (body instanceof Response) return body;
    const settlement = readSettlement(body.value);
    if (settlement === undefined) {
      return parts.refuse(req.raw, 'invalid_input', 'The body must be { "data": … } or { "error": { "kind", "message" } }.');
    }
    return respond(parts, req.raw, await method(req.param('handle'), settlement.given));
  });
}

/** Tells whether a caller may know what became of a call: of one that read a stored result it is told only what it could read itself. */
async function mayRecall(parts: ServerParts, identity: Identity, { tool, input }: CallStartEvent): Promise<boolean> {
  if (!mayCall(identity, tool)) return false;
  if (!readsResult(identity, tool)) return true;
  const { ref } = (input ?? {}) as { readonly ref?: unknown };
  const maker = await ask(async () => parts.toolboxOf(identity).toolOfResult?.(String(ref)));
  return typeof maker === 'string' && mayCall(identity, maker);
}

/** Finds out who asks and whether the toolbox can do this at all. */
async function reachFor<TMethod extends Method>(parts: ServerParts, request: Request, name: TMethod): Promise<Reach<TMethod> | Response> {
  const identity = await parts.identify(request);
  if (identity instanceof Response) return identity;
  const method = parts.toolboxOf(identity)[name];
  if (method === undefined)
    return parts.refuse(request, 'unsupported', `This server does not do that: its toolbox has no ${guards[name]} guard.`);
  return { identity, method: method as NonNullable<ServedToolbox[TMethod]> };
}

function toRecord(start: CallStartEvent, end: CallEndEvent | undefined, encode: (outcome: Outcome) => object): object {
  const { invocationId, tool, traceId, callId, runId, at } = start;
  return {
    id: invocationId,
    tool,
    traceId,
    ...(callId !== undefined && { callId }),
    ...(runId !== undefined && { runId }),
    state: end === undefined ? 'begun' : 'ended',
    begunAt: new Date(at).toISOString(),
    ...(end !== undefined && { endedAt: new Date(end.at).toISOString(), outcome: encode(end.outcome) }),
  };
}

/** Reads how a pending call ends. A whole outcome is not taken: what is in it is for the runtime to say. */
function readSettlement(value: unknown): { readonly given: unknown } | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { data, error } = value as {
    readonly data?: unknown;
    readonly error?: { readonly kind?: unknown; readonly message?: unknown; readonly code?: unknown };
  };
  if (error === undefined) return data === undefined ? undefined : { given: data };
  const { kind, message, code } = error ?? {};
  if (data !== undefined || !isFailureKind(kind) || typeof message !== 'string') return undefined;
  return { given: fail(kind, message, typeof code === 'string' ? { code } : {}) };
}

/** An outcome that has no trace of a call is told under that of its request. */
function respond(parts: ServerParts, request: Request, outcome: Outcome): Response {
  if (formFor(request, 'outcome') === undefined) return refuseForm(parts, request);
  const traceId = outcome.meta.traceId ?? traceOf(toAsked(request));
  return parts.respond(request, withTrace(outcome, traceId), 'outcome');
}

function withTrace(outcome: Outcome, traceId: string): Outcome {
  return outcome.meta.traceId === traceId ? outcome : { ...outcome, meta: { ...outcome.meta, traceId } };
}

function formFor(request: Request, usual: FormName) {
  return selectForm(toAsked(request), usual);
}

function refuseForm(parts: ServerParts, request: Request): Response {
  return parts.refuse(request, 'invalid_input', `There is no such dialect here. There are ${formNames.join(', ')}.`);
}

/** Refuses what only a store could tell that does not answer. */
export function refuseStore(parts: ServerParts, request: Request): Response {
  return parts.refuse(request, 'not_ready', 'The store does not answer now.', { retryAfterMs: 1000 });
}

const failed = Symbol('failed');

async function ask<TValue>(question: () => Promise<TValue>): Promise<TValue | typeof failed> {
  try {
    return await question();
  } catch {
    return failed;
  }
}

function readSeconds(given: string | undefined): number | undefined {
  if (given === undefined || given === '') return 0;
  const seconds = Number(given);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
