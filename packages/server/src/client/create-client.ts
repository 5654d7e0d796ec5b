import type { ListedTool } from 'toolpact';
import { type Outcome, type RetryRule, ToolpactError } from 'toolpact';
import type { Dialect } from 'toolpact/dialects';
import type { ResultPage } from 'toolpact/guards';
import { assertPositive, createRunId, defaultRetry, knownOptions, refuseOptions, retryOptions, withoutAbsent } from 'toolpact/internal';
import { checkDialects, isDialect } from '../check-dialects.ts';
import type { AnswerForm } from './answer-form.ts';
import type { Ask, ClientParts } from './ask.ts';
import { sendBatch } from './batch.ts';
import { sendCall } from './call.ts';
import type { Client, ClientOptions, RequestOptions } from './client.ts';
import { type ContextIds, headerOf, mergeIds, traceOf } from './context-headers.ts';
import { createKnownEffects } from './known-effects.ts';
import { listTools, readListedTool } from './list-tools.ts';
import { type SendSettings, send } from './send.ts';
import { createClientSessions } from './sessions.ts';
import {
  decideApproval,
  decideApprovals,
  findCall,
  listApprovals,
  listCalls,
  listGrants,
  readResult,
  revokeGrant,
  settlePending,
  waitForPending,
} from './stored-calls.ts';
import { cancelCall, rerunCall, summarizeCalls, watchCalls } from './watch-calls.ts';

type ClientIds = Omit<ContextIds, 'invocationId'>;
const { invocationId: _, ...idNames } = headerOf;

/**
 * Creates a client of a tool server. With the type of a toolbox, names, arguments and data are typed: `createClient<typeof toolbox>(url)`.
 * Throws at once for an address or option that could not be used; calls never throw.
 */
export function createClient<TServed = unknown>(url: string | URL, options: ClientOptions = {}): Client<TServed> {
  refuseOptions<ClientOptions>('createClient', options, {
    apiKey: true,
    token: true,
    headers: true,
    dialects: true,
    dialect: true,
    timeoutMs: true,
    retry: true,
    maxAnswerBytes: true,
    fetch: true,
    ...knownOptions(idNames),
  });
  const base = readAddress(url);
  const { dialects = [], dialect: form = 'outcome', apiKey, token, headers = {}, retry = {} } = options;
  const { timeoutMs = 60_000, maxAnswerBytes = 33_554_432, fetch: own = globalThis.fetch } = options;
  if (typeof own !== 'function')
    throw new ToolpactError('invalid_option', 'this platform has no fetch; give the client one with the option `fetch`');
  if (retry !== false) refuseOptions<RetryRule>('createClient: retry', retry, retryOptions);
  const rule = { ...defaultRetry, ...(retry === false ? { attempts: 1 } : withoutAbsent<RetryRule>(retry)) };
  assertPositive('createClient', { timeoutMs, maxAnswerBytes });
  const known = createKnownEffects((given) => listTools(bindAsk({}, 1), given));
  const settings: SendSettings = {
    base,
    apiKey,
    token,
    headers,
    rule,
    timeoutMs,
    maxAnswerBytes,
    // Called as a method of something else, the fetch of a browser refuses.
    fetch: (...args) => own(...args),
    findEffects: known.find,
    dialects: allDialects(dialects, form),
  };

  function bindAsk(ids: ContextIds, attempts = rule.attempts): Ask {
    return (asking, given = {}) => {
      const laid = mergeIds(ids, given);
      return send({ ...settings, rule: { ...rule, attempts } }, { form, ...asking, ids: { ...laid, traceId: traceOf(laid) } });
    };
  }

  const hasRun = options.runId !== undefined || options.ingestionRunId !== undefined;
  const ids = mergeIds({}, options);
  return createBound<TServed>(hasRun ? ids : withOwnRun(ids), bindAsk, { form, known, timeoutMs: options.timeoutMs });
}

/** Returns the dialects that the client was given and the one that it asks for, each once. Throws for what is none. */
function allDialects(given: readonly Dialect[], form: AnswerForm): readonly Dialect[] {
  if (form !== 'outcome' && !isDialect(form)) {
    const message = "createClient: dialect must be a dialect, such as those of @toolpact/origins, or 'outcome'";
    throw new ToolpactError('invalid_option', message, { option: 'dialect' });
  }
  checkDialects('createClient', given);
  const all = [...new Set(form === 'outcome' ? given : [...given, form])];
  checkDialects('createClient', all);
  return all;
}

/** Adds a run id that is drawn on first use: edge workers forbid randomness while a module loads. */
function withOwnRun(ids: ContextIds): ContextIds {
  let runId: string | undefined;
  return {
    ...ids,
    get runId() {
      runId ??= createRunId();
      return runId;
    },
  };
}

function createBound<TServed>(
  ids: ContextIds,
  bindAsk: (ids: ContextIds, attempts?: number) => Ask,
  rest: Omit<ClientParts, 'ask'>,
): Client<TServed> {
  const ask = bindAsk(ids);
  const parts: ClientParts = { ...rest, ask };
  const client: Client = {
    get runId() {
      return ids.runId;
    },
    call: (name, args, options = {}) => sendCall(parts, name, args, options),
    batch: (calls, options = {}) => sendBatch(parts, calls, options),
    async list(options = {}) {
      const listed = await listTools(ask, options);
      if (listed.status === 'ok') parts.known.remember(listed.data);
      return listed;
    },
    schema: (name, options = {}) => readListedTool(ask, name, options) as Promise<Outcome<ListedTool>>,
    findCall: (id, options = {}) => findCall(ask, id, options),
    calls: (filter = {}, options = {}) => listCalls(ask, filter, options),
    summarizeCalls: (filter = {}, options = {}) => summarizeCalls(ask, filter, options),
    // One attempt each: a new connection goes on from the last event, so the same request is never repeated.
    watchCalls: (filter = {}, options = {}) => watchCalls(bindAsk(ids, 1), filter, options),
    cancel: (id, options = {}) => cancelCall(ask, id, options),
    rerun: (id, { from, ...options } = {}) => rerunCall(ask, id, from, options),
    readResult: (ref, page = {}, options = {}) => readResult(ask, ref, page, options),
    readPages: (ref, page = {}, options = {}) => readPages(ask, ref, page, options),
    wait: (handle, options = {}) => waitForPending(ask, handle, options),
    settle: (handle, settlement, options = {}) => settlePending(ask, handle, settlement, options),
    listApprovals: ({ tool, runId, sessionId, like, ...options } = {}) =>
      listApprovals(ask, withoutAbsent({ tool, run: runId, session: sessionId, like }), options),
    decideAll: (handles, verdict, { reason, ...options } = {}) =>
      decideApprovals(ask, withoutAbsent({ handles, decision: verdict, reason }), options),
    decide: (handle, verdict, { reason, input, grant, ...options } = {}) =>
      decideApproval(ask, handle, withoutAbsent({ decision: verdict, reason, input, grant }), options),
    listGrants: ({ all, tool, ...options } = {}) => listGrants(ask, withoutAbsent({ all, tool }), options),
    revokeGrant: (id, options = {}) => revokeGrant(ask, id, options),
    sessions: createClientSessions(ask),
    with(other) {
      refuseOptions<ClientIds>('client.with', other, knownOptions(idNames));
      return createBound(mergeIds(ids, other), bindAsk, rest);
    },
  };
  return Object.freeze(client) as unknown as Client<TServed>;
}

async function* readPages(
  ask: Ask,
  ref: string,
  page: { readonly path?: string; readonly offset?: number; readonly limit?: number },
  options: RequestOptions,
): AsyncGenerator<Outcome<ResultPage>, void, undefined> {
  for (let { offset = 0 } = page; ; ) {
    const outcome = await readResult(ask, ref, { ...page, offset }, options);
    yield outcome;
    // A page that does not lead on would be read for ever.
    if (outcome.status !== 'ok' || outcome.data.next === undefined || !(outcome.data.next > offset)) return;
    offset = outcome.data.next;
  }
}

function readAddress(url: string | URL): string {
  const parsed = URL.canParse(String(url)) ? new URL(url) : undefined;
  if (parsed === undefined || !/^https?:$/.test(parsed.protocol))
    throw new ToolpactError('invalid_argument', 'the address of the server must be an http or https URL, such as http://127.0.0.1:8787');
  if (parsed.username !== '' || parsed.password !== '')
    throw new ToolpactError('invalid_argument', 'the address of the server holds credentials; give them as `apiKey` or `token` instead');
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}
