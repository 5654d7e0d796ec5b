import type { CallEnd, CallPlace, GrantQuery, ListedCall, NewCall, NewGrant, RunPlace, Wait } from '../../../ports/index.ts';
import { encodeText, encodeValue } from '../../stored-text.ts';
import { toBoundedName, toLongNames } from '../bounded-name.ts';

/** The values of a statement, by their names. */
type Values = Readonly<Record<string, unknown>>;

export function placeValues({ tenant, id }: CallPlace): Values {
  return { tenant: toBoundedName(tenant), id: toBoundedName(id) };
}

export function runValues(run: RunPlace): Values {
  return { ...placeValues(run), epoch: run.epoch };
}

/** The values of a call that begins. */
export function beginValues(call: NewCall, keepMs: number): Values {
  const { tenant, id, tool, process, isPromised, key, origin, instead, wait, by, start, args } = call;
  const ownKey = key ?? wait?.joinKey;
  return {
    ...placeValues(call),
    ...listedValues(wait?.listed ?? call.listed),
    ...(wait && waitValues(wait)),
    tool: toBoundedName(tool),
    process: bounded(process),
    promised: isPromised,
    begunAt: toMoment(by.begunAt),
    keepMs: toSpan(keepMs),
    key: bounded(ownKey?.text),
    keyCountsMs: toSpan(ownKey?.countsMs),
    joins: key === undefined,
    runId: bounded(by.runId),
    sessionId: bounded(by.sessionId),
    callerKey: bounded(by.callerKey),
    origin: encodeText(origin),
    grants: call.grants?.map(toBoundedName) ?? [],
    longNames: toLongNames(tenant, id, tool, process, ownKey?.text, wait?.handle, ...(call.grants ?? [])),
    start: encodeValue(start),
    args: args === undefined ? null : encodeValue(args),
    // A call of another tenant is nothing that it could replace.
    replaced: instead === undefined || instead.tenant !== tenant ? null : toBoundedName(instead.id),
    replacedEpoch: instead?.epoch ?? null,
    wholeId: encodeText(id),
    hint: toHint(call),
  };
}

/** The values of a grant that is given. */
export function grantValues({ id, tool, scope, permit, expiresMs, mostUses, keepMs }: NewGrant, tenant: string): Values {
  return {
    grantId: toBoundedName(id),
    grantTool: toBoundedName(tool),
    grantScope: toBoundedName(scope),
    grantPermit: encodeValue(permit),
    grantExpiresMs: toSpan(expiresMs),
    grantKeepMs: toSpan(expiresMs + keepMs),
    grantMostUses: mostUses ?? null,
    grantNames: toLongNames(tenant, id, tool, scope),
  };
}

/** The values of a list of grants. */
export function grantQueryValues({ tenant, tool, scopes, onlyActive = false, after }: GrantQuery): Values {
  return {
    tenant: toBoundedName(tenant),
    tool: bounded(tool),
    scopes: scopes === undefined ? null : scopes.map(toBoundedName),
    onlyActive,
    after: bounded(after),
  };
}

/** The values of a call that waits. */
export function waitValues(wait: Wait): Values & { readonly mostWaiting: number | null } {
  const { wakeMs, questions, outcome, listed, remainingMs, handle, joinKey, mostWaiting, notify = [] } = wait;
  return {
    ...listedValues(listed),
    wakeMs: toSpan(wakeMs),
    remainingMs: remainingMs ?? null,
    handle: bounded(handle),
    outcome: encodeValue(outcome),
    mostWaiting: mostWaiting === undefined || mostWaiting > Number.MAX_SAFE_INTEGER ? null : Math.ceil(mostWaiting),
    ...joinValues(joinKey),
    longNames: toLongNames(handle, joinKey?.text),
    handles: questions.map((question) => toBoundedName(question.handle)),
    kinds: questions.map(({ kind }) => kind),
    questions: questions.map(({ id }) => toBoundedName(id)),
    asks: questions.map(({ ask }) => encodeValue(ask)),
    expires: questions.map(({ expiresMs }) => toSpan(expiresMs)),
    notify: notify.map(toBoundedName),
    askNames: questions.map((question) => toLongNames(question.handle, question.id)),
  };
}

export function joinValues(key: Wait['joinKey']): Values {
  return { joinKey: bounded(key?.text), joinCountsMs: toSpan(key?.countsMs) };
}

/** The values of a call that ends. */
export function endValues({ outcome, listed, trace, keyCountsMs, keepsSteps, guessAbout }: CallEnd): Values & { readonly outcome: string } {
  return {
    ...listedValues(listed),
    outcome: encodeValue(outcome),
    trace: trace === undefined ? null : encodeValue(trace),
    keyCountsMs: toSpan(keyCountsMs),
    keepsSteps,
    guessAbout: guessAbout ?? null,
  };
}

function listedValues(listed: ListedCall): Values {
  return { listed: encodeValue(listed), status: listed.status, kind: listed.kind ?? null, replayOf: bounded(listed.replayOf) };
}

/** Tells which call has changed. */
export function toHint({ tenant, id }: CallPlace): string {
  return JSON.stringify([toBoundedName(tenant), toBoundedName(id)]);
}

function bounded(name: string | undefined): string | null {
  return name === undefined ? null : toBoundedName(name);
}

/** A span of time as the server can add it to a moment. */
export function toSpan(ms: number | undefined): number | null {
  return ms === undefined ? null : Math.max(-latest, Math.min(ms, latest));
}

/** A moment in epoch milliseconds that the server can hold. */
export function toMoment(ms: number): number {
  return Math.max(earliest, Math.min(ms, latest));
}

const latest = Number.MAX_SAFE_INTEGER;
/** In the year 4000 BC. */
const earliest = -188_000_000_000_000;
