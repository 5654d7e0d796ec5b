import type { BatchAnswer, Effects, Outcome } from 'toolpact';
import { knownOptions, makeFailure, type OptionNames } from 'toolpact/internal';
import { formQuery } from './answer-form.ts';
import type { ClientParts } from './ask.ts';
import type { BatchCallOptions } from './client.ts';
import { headerOf, timeHeader } from './context-headers.ts';
import { decodePart } from './read-answer.ts';

interface Item {
  readonly id?: string;
  readonly tool: string;
  readonly args: unknown;
  readonly timeoutMs?: number;
  readonly idempotencyKey?: string;
}

/** Makes many calls in one request. It is sent again only when it has a key, or each of its calls has one or may be repeated. */
export async function sendBatch(
  { ask, form, known, timeoutMs: defaultMs }: ClientParts,
  calls: readonly Item[],
  options: BatchCallOptions,
): Promise<BatchAnswer[]> {
  if (calls.length === 0) return [];
  const {
    concurrency,
    stopOnError,
    timeoutMs = defaultMs,
    idempotent = false,
    idempotencyKey = idempotent ? crypto.randomUUID() : undefined,
  } = options;
  const taken = new Set(calls.map(({ id }) => id));
  const items = calls.map((call, index) => ({ ...call, id: call.id ?? freeId(index, taken) }));
  const hasKey = idempotencyKey !== undefined;
  const effects = hasKey ? 'idempotent' : await effectsOf(calls, (tool) => known.find(tool, { timeoutMs: 0 }));
  const whole = await ask(
    {
      method: 'POST',
      path: `/v1/batch${formQuery(form)}`,
      body: { calls: items, ...(concurrency !== undefined && { concurrency }), ...(stopOnError !== undefined && { stopOnError }) },
      effects,
      hasKey,
      headers: { ...timeHeader(timeoutMs), ...(hasKey && { 'idempotency-key': idempotencyKey }) },
      options,
      optionNames,
    },
    options,
  );
  const results = resultsOf(whole);
  return items.map(({ id, tool }, index) => ({ id, outcome: outcomeOf(whole, results, id, index, tool) }));

  function outcomeOf(all: Outcome, given: ReadonlyMap<string, unknown> | undefined, id: string, index: number, tool: string): Outcome {
    if (given === undefined) return all.status === 'error' ? all : missing(all, id, tool);
    const part = given.get(id) ?? given.get(`#${index}`);
    if (part === undefined) return missing(all, id, tool);
    const decoded = decodePart(part, form, 'writes');
    return decoded.ok ? decoded.outcome : Object.freeze({ status: 'error', error: decoded.failure, meta: { ...all.meta, tool } });
  }
}

const { invocationId: _, ...ids } = headerOf;
const optionNames: OptionNames<BatchCallOptions> = {
  ...knownOptions(ids),
  signal: true,
  timeoutMs: true,
  concurrency: true,
  stopOnError: true,
  idempotencyKey: true,
  idempotent: true,
};

/** Names a call by its place, so that it has the same id when the batch is sent again. */
function freeId(index: number, taken: ReadonlySet<string | undefined>): string {
  let id = String(index);
  while (taken.has(id)) id += '_';
  return id;
}

/** The worst of what the calls do, as far as it is known. */
async function effectsOf(calls: readonly Item[], find: (tool: string) => Promise<Effects | undefined>): Promise<Effects> {
  const all = await Promise.all(
    calls.map(async ({ tool, idempotencyKey }) => (idempotencyKey === undefined ? find(tool) : ('idempotent' as const))),
  );
  if (all.some((one) => one === undefined || one === 'writes')) return 'writes';
  return all.includes('idempotent') ? 'idempotent' : 'none';
}

/** Takes the answers out of the outcome of a batch: by id, or by place where the envelope lists them bare. */
function resultsOf(whole: Outcome): ReadonlyMap<string, unknown> | undefined {
  const { results } = (whole.status === 'pending' ? {} : ((whole.data ?? {}) as object)) as { readonly results?: unknown };
  if (!Array.isArray(results)) return undefined;
  return new Map(
    results.map((one: { readonly id?: unknown; readonly outcome?: unknown } | null, index) =>
      typeof one?.id === 'string' && 'outcome' in one ? [one.id, one.outcome] : [`#${index}`, one],
    ),
  );
}

function missing({ meta }: Outcome, id: string, tool: string): Outcome {
  const error = makeFailure('bad_response', { message: `The server gave no answer to the call ${id}.`, effect: 'unknown', unsafe: true });
  return Object.freeze({ status: 'error', error, meta: { ...meta, tool } });
}
