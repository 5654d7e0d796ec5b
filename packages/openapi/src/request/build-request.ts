import { fail, type RunContext } from 'toolpact';
import { asMap, type JsonMap } from '../document/document-problem.ts';
import type { OperationPlan } from '../plan/operation-plan.ts';
import type { Parameter } from '../plan/plan-parameters.ts';
import { isRounded } from '../plan/whole-numbers.ts';
import { type EncodedBody, encodeBody } from './encode-body.ts';
import type { Credentials } from './gather-credentials.ts';
import { encodeStrictly, serializeCookie, serializeHeader, serializePath, serializeQuery } from './serialize-parameter.ts';

/** A request ready to be sent. */
export interface BuiltRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body: EncodedBody['content'] | undefined;
  /** The texts that no output may hold. */
  readonly secrets: readonly string[];
}

/** Creates the request of a call. Everything that is wrong with the arguments is found here, before anything is sent. */
export function buildRequest(plan: OperationPlan, input: JsonMap, credentials: Credentials, context: RunContext): BuiltRequest {
  const { operation, options, server, serverQuery } = plan;
  const values = plan.input.parameters.map(([key, parameter]) => [parameter, argumentOf(plan, key, parameter, input, context)] as const);
  const given = values.filter(([parameter, value]) => !isAbsent(parameter, value));
  const inPlace = (place: Parameter['in']) => given.filter(([parameter]) => parameter.in === place);

  const path = expandPath(
    operation.path,
    new Map(inPlace('path').map(([parameter, value]) => [parameter.name, serializePath(parameter, value)])),
  );
  const query = [
    ...(serverQuery === undefined ? [] : [serverQuery]),
    ...withoutNames(
      inPlace('query').flatMap(([parameter, value]) => serializeQuery(parameter, value)),
      credentials.query.map(([name]) => encodeStrictly(name)),
    ),
    ...credentials.query.map(([name, value]) => `${encodeStrictly(name)}=${encodeStrictly(value)}`),
  ];
  const own = typeof options.headers === 'function' ? options.headers(context) : (options.headers ?? {});
  const trusted = [
    ...[...Object.entries(own), ...Object.entries(credentials.headers)].flatMap(([name, value]) =>
      name.toLowerCase() === 'cookie' ? value.split(/;\s*/).filter(Boolean) : [],
    ),
    ...credentials.cookies.map(([name, value]) => `${name}=${cookieText.test(value) ? value : encodeStrictly(value)}`),
  ];
  const cookies = [
    ...withoutNames(
      inPlace('cookie').flatMap(([parameter, value]) => serializeCookie(parameter, value)),
      trusted.map(nameOf),
    ),
    ...trusted,
  ];
  const body = bodyOf(plan, input);
  const headers = new Headers();
  const key = options.idempotencyHeader ?? 'Idempotency-Key';
  const entries: (readonly [string, string])[] = [
    ['accept', plan.answers.accept],
    ['user-agent', 'toolpact'],
    ...inPlace('header').map(([parameter, value]) => [parameter.name, serializeHeader(parameter, value)] as const),
    ...(key !== false && context.idempotencyKey !== undefined && writing.has(operation.method)
      ? [[key, context.idempotencyKey] as const]
      : []),
    ...(body?.contentType === undefined ? [] : [['content-type', body.contentType] as const]),
    ...Object.entries(own),
    ...Object.entries(credentials.headers),
    ...(cookies.length === 0 ? [] : [['cookie', cookies.join('; ')] as const]),
  ];
  for (const [name, value] of entries) setHeader(headers, name, value);
  const filled = given.flatMap(([{ filledBy, name }, value]) =>
    filledBy === 'preset' && typeof value === 'string' ? [[name, value] as const] : [],
  );
  const secrets = [...filled, ...Object.entries(own)].flatMap(([name, value]) =>
    secretName.test(name) ? [value, value.replace(/^\S+\s+/, '')] : [],
  );
  return {
    url: `${server}${path}${query.length === 0 ? '' : `${path.includes('?') ? '&' : '?'}${query.join('&')}`}`,
    method: operation.method,
    headers,
    body: body?.content,
    secrets: [...credentials.secrets, ...secrets, ...secretValues([...(serverQuery?.split('&') ?? []), ...trusted])],
  };
}

/** Leaves out null and empty lists: an empty text in their place would be another value. */
function isAbsent({ in: place, required, asJson }: Parameter, value: unknown): boolean {
  if (value === undefined) return true;
  return place !== 'path' && !required && !asJson && (value === null || (Array.isArray(value) && value.length === 0));
}

/** The fields of an argument must not stand in for a credential: servers take the first of two equal names. */
function withoutNames(pairs: readonly string[], names: readonly string[]): readonly string[] {
  return names.length === 0 ? pairs : pairs.filter((pair) => !names.includes(nameOf(pair)));
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] as string;
}

/** Returns the credentials among the pairs that the application put into the query of its address or into its cookies, as they are sent and as they are meant. */
function secretValues(pairs: readonly string[]): readonly string[] {
  return pairs
    .filter((pair) => secretName.test(nameOf(pair)) || shortSecretName.test(nameOf(pair)))
    .flatMap((pair) => [pair.slice(nameOf(pair).length + 1), ...new URLSearchParams(pair).values()]);
}

/** The characters that a cookie can contain. A credential is sent unchanged: servers compare it, and few decode it. */
const cookieText = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;

/** Names under which applications send credentials of their own. */
const secretName =
  /auth(?!or(?!i[sz]))|(?<!(?:sort|order|group|page|partition)[-_]?)key(?!word|board)|token|secret|password|cookie|session/i;

/** Names that mean a credential in a query or a cookie, and anything elsewhere. */
const shortSecretName = /^(?:code|sig|sid|jwt)$|\.sid$/i;

const writing: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

function argumentOf(plan: OperationPlan, key: string, parameter: Parameter, input: JsonMap, context: RunContext): unknown {
  if (parameter.filledBy === 'preset') {
    const preset = plan.options.preset?.[parameter.name];
    return typeof preset === 'function' ? preset(context) : preset;
  }
  // Where the API insists on a key, each call is its own.
  if (parameter.filledBy === 'idempotencyKey') return context.idempotencyKey ?? (parameter.required ? context.invocationId : undefined);
  const value = ownOf(plan.input.grouped ? asMap(input[parameter.in]) : input, key);
  if (parameter.wholeNumbers !== undefined && isRounded(value)) {
    const message = `The argument "${key}" is a whole number beyond 2^53, which was rounded. Give it as a text with all its digits.`;
    throw fail('invalid_input', message, { effect: 'none' });
  }
  return value;
}

/**
 * Fills the places of a path. Some descriptions keep operations of one path apart by a query, which is sent, or by a fragment, which never is.
 * A value must not lead out of its place: not upward (some servers read `..;x` as `..`), and not to the path without it.
 */
function expandPath(path: string, values: ReadonlyMap<string, string>): string {
  const expanded = path.replace(/#.*$/s, '').replace(/\{([^{}]+)\}/g, (_, name: string) => {
    const value = values.get(name) ?? '';
    if (value === '') throw fail('invalid_input', `The argument "${name}" must not be empty.`, { effect: 'none' });
    return value.replace(/[?#]/g, encodeStrictly);
  });
  const [steps = ''] = expanded.split('?', 1);
  if (steps.split('/').some((step) => /^(?:\.|%2e){1,2}(?:(?:;|%3b).*)?$/i.test(step)))
    throw fail('invalid_input', 'An argument that becomes part of the address must not be "." or "..".', { effect: 'none' });
  return expanded;
}

function bodyOf({ input: plan }: OperationPlan, input: JsonMap): EncodedBody | undefined {
  const { body, bodyFields } = plan;
  if (body === undefined) return undefined;
  if (bodyFields === undefined) return input.body === undefined ? undefined : encodeBody(body, input.body);
  const fields = bodyFields.map(([key, name]) => [name, ownOf(input, key)] as const).filter(([, value]) => value !== undefined);
  return fields.length === 0 && !body.required ? undefined : encodeBody(body, Object.fromEntries(fields));
}

/** Properties that every object inherits are no arguments. */
function ownOf(input: JsonMap, key: string): unknown {
  return Object.hasOwn(input, key) ? input[key] : undefined;
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    // The platform's own message quotes the value, which may be a credential.
    throw fail('invalid_input', `The header "${name}" cannot hold this value: line breaks and characters beyond Latin-1 are not allowed.`, {
      effect: 'none',
    });
  }
}
