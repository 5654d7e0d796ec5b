import { type FailOptions, fail, type Issue, ok, type Reply, type StandardSchemaV1 } from 'toolpact';
import { isObject, isReply, toBase64 } from 'toolpact/internal';
import type { OperationPlan } from '../plan/operation-plan.ts';
import type { Answer } from '../request/send-request.ts';
import { failResponse } from './fail-response.ts';
import { hideSecrets } from './hide-secrets.ts';
import type { ParsedJson } from './parse-json.ts';
import { type Expected, type ReadBody, readBody } from './read-body.ts';

/** Returns the answer back where the API says that it did what was asked, and throws the failure that it states otherwise. */
export async function assertAnswered(plan: OperationPlan, answer: Answer, secrets: readonly string[]): Promise<Answer> {
  const { response, redirectedTo, mayHaveRun } = answer;
  const endpoint = endpointOf(plan);
  if (redirectedTo !== undefined) {
    if (plan.answers.mayRedirect) return answer;
    throw fail('bad_response', `The API redirects to another server (${new URL(redirectedTo).origin}), which is not followed.`, {
      upstream: { status: response.status, endpoint },
    });
  }
  if (response.ok) return answer;
  // The status of a failure counts, even where its body is too long or cut off.
  const expected = { ...expectedOf(plan, hideSecrets(secrets)), forms: new Set<never>(), facts: {} };
  const body = await readBody(response, expected).catch((): ReadBody => ({ form: 'none' }));
  throw failResponse(plan, response, endpoint, body, mayHaveRun);
}

/** Reads the body of an answer as the tool's data. Credentials that it echoes are taken out. */
export async function readAnswer(
  plan: OperationPlan,
  { response, redirectedTo }: Answer,
  check: StandardSchemaV1 | undefined,
  secrets: readonly string[],
): Promise<unknown> {
  const endpoint = endpointOf(plan);
  const hide = hideSecrets(secrets);
  if (redirectedTo !== undefined) return { redirectedTo: hide(redirectedTo) };
  // The API has done what was asked, even if its answer is wrong.
  const facts: FailOptions = {
    upstream: { status: response.status, endpoint },
    ...(plan.effects !== 'none' && { effect: 'applied' }),
  };
  const body = await readBody(response, { ...expectedOf(plan, hide), facts });
  if (plan.operation.method === 'HEAD') return headOf(response, hide);
  const { value, rounded } = toData(body, response, plan, facts);
  if (rounded === undefined) return checked(plan, value, check, facts);
  // A description may allow numbers alone, and then it is kept rather than the digits.
  if (issuesOf(check, value).length === 0)
    return ok(value, { warnings: ['whole numbers beyond 2^53 are given as text, with all their digits'] });
  const reply = checked(plan, rounded, check, facts);
  const warnings = ['whole numbers beyond 2^53 were rounded: the description allows no text in their place'];
  return isObject(reply) && isReply(reply) ? reply : ok(reply, { warnings });
}

function endpointOf({ server, operation }: OperationPlan): string {
  return `${server}${operation.path}`;
}

function expectedOf({ options, answers }: OperationPlan, hide: Expected['hide']): Omit<Expected, 'facts'> {
  return { maxBytes: options.maxResponseBytes ?? 5_000_000, hide, forms: answers.forms };
}

function toData(body: ReadBody, response: Response, { answers }: OperationPlan, facts: FailOptions): ParsedJson {
  const type = response.headers.get('content-type') ?? 'application/octet-stream';
  switch (body.form) {
    case 'none':
      return { value: null };
    case 'json':
      return body;
    case 'broken':
      throw fail('bad_response', 'The API answered with JSON that is broken or cut off.', facts);
    case 'text':
      // A page where data was promised is the face of a proxy, a login or a maintenance notice.
      if (/html/i.test(type) && answers.types.size > 0 && ![...answers.types].some((known) => /html|\*/i.test(known)))
        throw fail('bad_response', `The API answered with a page (${type}) instead of ${[...answers.types][0]}.`, facts);
      // Many servers name their JSON a text.
      return (promisesJson(answers.types) ? body.json : undefined) ?? { value: body.text };
    case 'bytes':
      return { value: { contentType: type, size: body.bytes.length, base64: toBase64(body.bytes) } };
  }
}

function promisesJson(types: ReadonlySet<string>): boolean {
  return types.size > 0 && [...types].every((type) => /[/+]json\b/i.test(type));
}

/** Checks data against the description; what breaks it fails or, where asked for, is passed on with a warning. */
function checked(
  { options }: OperationPlan,
  data: unknown,
  check: StandardSchemaV1 | undefined,
  facts: FailOptions,
): unknown | Reply<unknown> {
  const issues = issuesOf(check, data);
  if (issues.length === 0) return data;
  const [first] = issues;
  const what = `The API's answer breaks its own description (${first?.path.join('.') || 'whole answer'}: ${first?.message})`;
  if (options.responses === 'lenient') return ok(data, { warnings: [what] });
  throw fail('bad_response', `${what}.`, { ...facts, issues });
}

function issuesOf(check: StandardSchemaV1 | undefined, data: unknown): readonly Issue[] {
  const result = check?.['~standard'].validate(data);
  if (result === undefined || result instanceof Promise || result.issues === undefined) return [];
  return result.issues.slice(0, 5).map(({ message, path = [] }): Issue => {
    const steps = path
      .map((step) => (typeof step === 'object' ? step.key : step))
      .map((step) => (typeof step === 'number' ? step : String(step)));
    return { path: steps, problem: 'rule', message };
  });
}

function headOf({ status, headers }: Response, hide: (text: string) => string): object {
  const shown = [...headers].filter(([name]) => name !== 'set-cookie').map(([name, value]) => [name, hide(value)] as const);
  return { status, headers: Object.fromEntries(shown) };
}
