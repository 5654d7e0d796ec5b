import {
  expectOutcome,
  type Failure,
  type FailureKind,
  httpStatus,
  isFailureKind,
  type JsonObject,
  type JsonValue,
  type Outcome,
  type Pending,
} from '../outcome/index.ts';
import { checkEncode } from './check-encode.ts';
import type { DecodeOptions, Dialect, EncodeOptions } from './dialect.ts';
import { envelopeSchema, objectSchema, textSchema, toolSchemas, withDefinitions } from './envelope-schema.ts';
import { extension, extensionKey, type Held } from './extension.ts';
import { anything, integer, may, reader, text } from './fields.ts';
import { losses } from './losses.ts';
import { kindOfHttpStatus, problemTitles } from './problem-titles.ts';
import { createDecode } from './reading/create-decode.ts';
import { foreignError, foreignFailure, unknownMeta } from './reading/foreign.ts';
import { looksLike } from './reading/looks-like.ts';
import { readPending } from './reading/read-outcome.ts';
import { broken, missing } from './reading/undecodable.ts';

/** Problem details as RFC 9457 has them. `code`, `errors`, `data` and `pending` are extension members, which the RFC allows. */
export interface ProblemDetails {
  /** Leads to the kind's paragraph in `docs/failures.md`; `about:blank` where nothing failed. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  /** The call: its invocation id as a URN, where that is a UUID. */
  readonly instance?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly data?: JsonValue;
  readonly pending?: JsonObject;
  readonly [extensionKey]?: JsonObject;
}

/** How `problem` is written. */
export interface ProblemOptions extends EncodeOptions {
  /** The page whose anchors are the kinds. @default the page in the repository */
  readonly docs?: string | undefined;
}

/** Where the page lies that explains every kind under an anchor of its name. */
export const failureDocs = 'https://github.com/toolpact/toolpact/blob/main/docs/failures.md';

/** RFC 9457 problem details, with the HTTP status of the catalogue. */
export const problem: Dialect<'problem', ProblemDetails, ProblemOptions> = Object.freeze<
  Dialect<'problem', ProblemDetails, ProblemOptions>
>({
  name: 'problem',
  encode(outcome, options) {
    checkEncode('problem', outcome, options);
    const details = toDetails(outcome, options?.docs ?? failureDocs);
    if (options?.strict === true) return details;
    const held: readonly Held[] = details.data === undefined ? [] : ['data'];
    return { ...details, [extensionKey]: extension(outcome, held) };
  },
  decode: createDecode({
    name: 'problem',
    native: readNative,
    part: ({ data }, held) => (held === 'data' ? data : undefined),
    agrees: ({ status }, outcome) => statusOf(status) === outcome.status,
    message: ({ detail }) => detail,
    names: ({ type = '', status }, error) =>
      (ownKind(type) ?? error.kind) === error.kind && (status === undefined || status === httpStatus(error)),
    foreign: toOutcome,
  }),
  detect: looksLike(({ type, title, status, detail }) => {
    if (typeof type !== 'string' || !uriReference.test(type)) return false;
    return typeof title === 'string' && (typeof status === 'number' || typeof detail === 'string');
  }),
  jsonSchema(tool) {
    const { output, $defs } = toolSchemas(tool);
    const uri = { type: 'string', format: 'uri-reference' };
    const errors = { type: 'array', items: objectSchema({ pointer: textSchema, detail: textSchema }) };
    const fields = { type: uri, title: textSchema, status: { type: 'integer', minimum: 100, maximum: 599 }, 'detail?': textSchema };
    const schema = objectSchema({
      ...fields,
      'instance?': uri,
      'code?': textSchema,
      'errors?': errors,
      'data?': {},
      'pending?': { type: 'object' },
    });
    const done = { anyOf: [{ not: { properties: { status: { const: 200 } } } }, { properties: { data: output } }] };
    return withDefinitions(envelopeSchema('ProblemDetails', tool === undefined ? schema : { ...schema, ...done }), $defs);
  },
  losses: losses.problem,
});

/** Returns the value of the `Retry-After` header for an outcome: whole seconds, or undefined if there is nothing to wait for. */
export function retryAfter(outcome: Outcome): string | undefined {
  expectOutcome('retryAfter', outcome);
  const ms =
    outcome.status === 'error' ? outcome.error.retryAfterMs : outcome.status === 'pending' ? outcome.pending.pollAfterMs : undefined;
  return ms === undefined ? undefined : `${Math.min(Math.ceil(ms / 1000), Number.MAX_SAFE_INTEGER)}`;
}

/** A whole URI, or a reference that shows it: a media type such as `text/html` could be one as well. */
const uriReference = /^(?:[a-z][a-z\d+.-]*:|\.{0,2}\/)|#/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

function toDetails(outcome: Outcome, docs: string): ProblemDetails {
  const { invocationId } = outcome.meta;
  const instance = invocationId !== undefined && uuid.test(invocationId) && { instance: `urn:uuid:${invocationId}` };
  switch (outcome.status) {
    case 'ok':
      return { type: 'about:blank', title: 'OK', status: 200, ...messageOf(outcome), ...instance, ...dataOf(outcome) };
    case 'partial': {
      const detail = outcome.message ?? `${outcome.failures.length} of ${outcome.total} items failed`;
      const errors = outcome.failures.map(({ index, error }) => ({ pointer: `#/${index}`, detail: error.message }));
      return { type: 'about:blank', title: 'Some items failed', status: 207, detail, ...instance, errors, ...dataOf(outcome) };
    }
    case 'pending':
      return {
        type: 'about:blank',
        title: 'Accepted',
        status: 202,
        ...messageOf(outcome),
        ...instance,
        pending: outcome.pending as unknown as JsonObject,
      };
    case 'error': {
      const { error } = outcome;
      const code = error.code !== undefined && { code: error.code };
      const errors = error.issues !== undefined && error.issues.length > 0 && { errors: error.issues.map(toError) };
      const type = `${docs}#${error.kind}`;
      return {
        type,
        title: problemTitles[error.kind],
        status: httpStatus(error),
        detail: error.message,
        ...instance,
        ...code,
        ...errors,
        ...dataOf(outcome),
      };
    }
  }
}

function messageOf({ message }: { readonly message?: string }): { detail?: string } {
  return message === undefined ? {} : { detail: message };
}

function dataOf({ data }: { readonly data?: unknown }): { data?: JsonValue } {
  return data === undefined ? {} : { data: data as JsonValue };
}

function toError({ path, message }: NonNullable<Failure['issues']>[number]): { pointer: string; detail: string } {
  const steps = path.map((step) => `/${toUriPart(String(step).replaceAll('~', '~0').replaceAll('/', '~1'))}`);
  return { pointer: `#${steps.join('')}`, detail: message };
}

/** Half a character has no place in a URI. */
function toUriPart(raw: string): string {
  return encodeURIComponent(raw.replace(/\p{Surrogate}/gu, '\ufffd'));
}

interface Native {
  readonly type?: string;
  readonly title?: string;
  readonly status?: number;
  readonly detail?: string;
  readonly code?: JsonValue;
  readonly data?: JsonValue;
  readonly pending?: JsonValue;
}

const readEnvelope = reader({
  type: may(text),
  title: may(text),
  status: may(integer),
  detail: may(text),
  instance: may(text),
  code: may(anything),
  data: may(anything),
  pending: may(anything),
});

function readNative(envelope: JsonObject): Native {
  const native = readEnvelope(envelope, []) as Native;
  const { type, title, status, detail } = native;
  if (type === undefined && title === undefined && status === undefined && detail === undefined) {
    broken([], 'none of type, title, status and detail is there');
  }
  if (status === undefined || (status >= 400 && status <= 599)) return native;
  if (status < 100 || status > 599) broken(['status'], `status ${status} is no HTTP status`);
  if (status < 200 || status > 299) broken(['status'], `status ${status} says neither that the call succeeded nor that it failed`);
  if (type !== undefined && type !== 'about:blank') broken(['type'], `type names a problem, yet status is ${status}`);
  return native;
}

/** Derives the outcome's status from an HTTP status. Problem details without a status report a failure, as the RFC intends. */
function statusOf(status = 500): Outcome['status'] {
  if (status >= 400) return 'error';
  return status === 207 ? 'partial' : status === 202 ? 'pending' : 'ok';
}

function toOutcome(native: Native, options: DecodeOptions): Outcome {
  const { type, title, status, detail, data, pending } = native;
  const message = detail !== undefined && { message: detail };
  switch (statusOf(status)) {
    case 'pending': {
      if (pending === undefined) return missing(['pending'], 'an object');
      const waits = readPending(pending, ['pending']) as unknown as Pending;
      return Object.freeze({ status: 'pending', pending: waits, ...message, meta: unknownMeta });
    }
    case 'ok':
      return Object.freeze({ status: 'ok', data: data ?? null, ...message, meta: unknownMeta });
    default: {
      const reported = detail ?? title ?? (status === undefined ? `The service reported ${type}.` : `The service answered ${status}.`);
      return foreignError(foreignFailure(kindOf(native), { message: reported, ...codeOf(native) }, options), unknownMeta, { data });
    }
  }
}

/** The kind that the type names, when it is one of ours; else what the HTTP status says. */
function kindOf({ type = '', status = 500 }: Native): FailureKind {
  const name = ownKind(type);
  if (name !== undefined) return isFailureKind(name) ? name : 'internal';
  return status === 207 ? 'upstream' : kindOfHttpStatus(status);
}

function codeOf({ type = '', status, code }: Native): { code?: string; upstream?: { status: number } } {
  const name = ownKind(type);
  if (name !== undefined && !isFailureKind(name)) return { code: name };
  const stated = typeof code === 'string' ? { code } : status === 207 ? { code: 'partial_failure' } : {};
  return name === undefined && status !== undefined && status >= 400 ? { ...stated, upstream: { status } } : stated;
}

function ownKind(type: string): string | undefined {
  return /\/failures(?:\.md|\.html)?#([a-z_]{1,64})$/.exec(type)?.[1];
}
