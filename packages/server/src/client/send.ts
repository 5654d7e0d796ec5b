import type { Effects, Failure, Meta, Outcome, RetryRule } from 'toolpact';
import type { Dialect } from 'toolpact/dialects';
import { makeFailure, type OptionNames, retryPauseMs, sleep } from 'toolpact/internal';
import { type AnswerForm, formName } from './answer-form.ts';
import type { ClientOptions, RequestOptions } from './client.ts';
import { type ContextIds, toHeaders } from './context-headers.ts';
import { type Exchanged, exchange, type Sending } from './exchange.ts';
import { failed, type Reading, readAnswer, readSilence } from './read-answer.ts';
import { readThrown } from './read-thrown.ts';

/** One request to the server. */
export interface Asking {
  readonly method: Sending['method'];
  /** Below the address of the server, with its query. */
  readonly path: string;
  readonly body?: unknown;
  /** Headers of this request alone. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly ids: ContextIds;
  readonly tool?: string;
  /** The effect of repeating the request; undefined while it is unknown. */
  readonly effects: Effects | undefined;
  /** Whether a key makes repeating harmless. */
  readonly hasKey?: boolean;
  readonly form: AnswerForm;
  /** Takes the data out of an answer that is not an outcome; undefined when it holds none. */
  readonly plain?: (json: unknown) => unknown;
  readonly options: RequestOptions;
  /** The names of the options, where there are more than every request has. */
  readonly optionNames?: OptionNames<RequestOptions>;
  readonly onEvent?: Sending['onEvent'];
}

/** How requests are sent. */
export interface SendSettings extends Required<Pick<ClientOptions, 'timeoutMs' | 'maxAnswerBytes' | 'fetch'>> {
  readonly base: string;
  readonly apiKey: string | undefined;
  readonly token: ClientOptions['token'];
  readonly headers: Readonly<Record<string, string>>;
  readonly rule: Required<RetryRule>;
  /** The dialects that the client reads, besides those of the library. */
  readonly dialects: readonly Dialect[];
  /** Finds out what a tool does to the outside world; undefined if that is unknown. */
  readonly findEffects: (tool: string, options: RequestOptions) => Promise<Effects | undefined>;
}

/**
 * Sends a request until it has an answer that counts. It is sent again only when its outcome is retryable and repeating does no harm: the
 * tool changes nothing or may be repeated, or the call has a key. A wait that the server asks for is waited for; one that does not fit into
 * the time left is not begun.
 */
export async function send(settings: SendSettings, asking: Asking): Promise<Outcome> {
  const { timeoutMs = settings.timeoutMs, signal } = asking.options;
  const begun = performance.now();
  const left = (): number => timeoutMs - (performance.now() - begun);
  const { rule } = settings;
  const optionNames = Object.keys(asking.optionNames ?? requestOptions);
  const unknown = Object.keys(asking.options).find((key) => !optionNames.includes(key));
  if (unknown !== undefined) {
    const message = `The options have the unknown key "${unknown}"; there are ${optionNames.join(', ')}.`;
    const error = makeFailure('not_configured', { message, details: { key: unknown } });
    return failed(error, { meta: metaOf(asking, begun, 0) });
  }
  let effects = asking.hasKey === true ? 'idempotent' : asking.effects;
  for (let attempt = 1; ; attempt += 1) {
    const prepared = await prepare(settings, asking, attempt);
    const meta = metaOf(asking, begun, attempt);
    if ('kind' in prepared) return failed(prepared, { meta: { ...meta, attempts: attempt - 1 } });
    const exchanged = await exchange({ ...prepared, signal, timeoutMs: left() });
    const sent = exchanged.is !== 'answered' && exchanged.isUnsent === true ? attempt - 1 : attempt;
    // A request that was never sent changed nothing, even of a tool that writes.
    const judge = (known: Effects): Promise<Outcome> =>
      read(exchanged, asking, {
        effects: sent === 0 ? 'none' : known,
        form: asking.form,
        dialects: settings.dialects,
        meta: metaOf(asking, begun, sent),
      });
    const mayRepeat = attempt < rule.attempts && isRetryable(await judge('idempotent'));
    if (effects === undefined && mayRepeat && asking.tool !== undefined) {
      effects = await settings.findEffects(asking.tool, {
        timeoutMs: Math.min(left(), maxLookupMs),
        ...(signal !== undefined && { signal }),
      });
    }
    const outcome = await judge(effects ?? 'writes');
    if (!mayRepeat || !isRetryable(outcome) || effects === undefined || effects === 'writes') return outcome;
    const waitMs = outcome.error.retryAfterMs ?? retryPauseMs(rule, attempt);
    if (waitMs >= left()) return outcome;
    await sleep(waitMs, signal);
  }
}

const maxLookupMs = 5_000;
const requestOptions: OptionNames<RequestOptions> = { signal: true, timeoutMs: true };

function isRetryable(outcome: Outcome): outcome is Outcome & { readonly status: 'error' } {
  return outcome.status === 'error' && outcome.error.retryable;
}

async function read(exchanged: Exchanged, { plain }: Asking, reading: Reading): Promise<Outcome> {
  if (exchanged.is !== 'answered') return readSilence(exchanged, reading);
  if (plain === undefined || exchanged.status >= 300) return readAnswer(exchanged, reading);
  let data: unknown;
  try {
    data = plain(JSON.parse(exchanged.body));
  } catch {
    data = undefined;
  }
  return data === undefined ? readAnswer({ ...exchanged, body: '' }, reading) : Object.freeze({ status: 'ok', data, meta: reading.meta });
}

function metaOf({ tool, ids }: Asking, begun: number, attempts: number): Meta {
  const { traceId, runId, ingestionRunId, tenantId } = ids;
  return Object.freeze({
    ...(tool !== undefined && { tool }),
    ...(traceId !== undefined && { traceId }),
    ...(runId !== undefined && { runId }),
    ...(ingestionRunId !== undefined && { ids: { ingestionRunId } }),
    ...(tenantId !== undefined && { tenantId }),
    tookMs: Math.max(0.001, performance.now() - begun),
    attempts,
  });
}

type Prepared = Omit<Sending, 'signal' | 'timeoutMs'>;

async function prepare(settings: SendSettings, asking: Asking, attempt: number): Promise<Prepared | Failure> {
  const { base, fetch, maxAnswerBytes, apiKey, token } = settings;
  let body: string | undefined;
  try {
    body = asking.body === undefined ? undefined : JSON.stringify(asking.body);
  } catch {
    return makeFailure('invalid_input', {
      message: 'The arguments cannot be sent: JSON cannot hold them. Leave out cycles and BigInt values.',
    });
  }
  try {
    const secret = typeof token === 'function' ? await token() : token;
    const accept =
      asking.plain === undefined ? `application/json; profile=${formName(asking.form)}` : 'application/json, application/problem+json';
    const given: Record<string, string> = {
      accept: asking.onEvent === undefined ? accept : `text/event-stream, ${accept}`,
      ...settings.headers,
      ...toHeaders(asking.ids),
      ...asking.headers,
      ...(apiKey !== undefined && { 'x-api-key': apiKey }),
      ...(secret !== undefined && { authorization: `Bearer ${secret}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(attempt > 1 && { 'x-retry-attempt': String(attempt - 1) }),
    };
    const headers = new Headers();
    for (const [name, value] of Object.entries(given)) {
      try {
        headers.set(name, value);
      } catch {
        // The value may be a secret, so the message contains only the name.
        return makeFailure('invalid_input', {
          message: `The header ${name} cannot be sent: it holds a character that no header can hold.`,
        });
      }
    }
    const { method, path, onEvent } = asking;
    return { fetch, url: base + path, method, headers, body, maxAnswerBytes, onEvent };
  } catch (thrown) {
    return readThrown(thrown);
  }
}
