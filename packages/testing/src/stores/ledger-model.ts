import type { JsonValue } from 'toolpact';
import type {
  CallEnd,
  CallKey,
  CallQuery,
  CallStage,
  CallState,
  Ledger,
  ListedCall,
  NewCall,
  NewGrant,
  NewQuestion,
  NoticeEvent,
  NoticePlace,
  StoredCall,
  StoredGrant,
  StoredQuestion,
  StoredStep,
  TakenCall,
  TakenNotice,
  TakenNotices,
  Wait,
} from 'toolpact/extend';
import { isSame } from '../lost-paths.ts';

/** An operation on a ledger, as data. */
export type LedgerOperation = {
  readonly [TName in OperationName]: { readonly name: TName; readonly with: Parameters<Ledger[TName]> };
}[OperationName];

export type OperationName = Exclude<keyof Ledger, 'watch'>;

/** All that a ledger remembers, as plain data. */
export interface LedgerModel {
  readonly calls: readonly ModelCall[];
  readonly grants: readonly ModelGrant[];
  /** Until when processes are alive. */
  readonly processes: Readonly<Record<string, number>>;
  /** How many calls and questions there have been. */
  readonly count: number;
}

interface ModelCall {
  readonly new: NewCall;
  readonly order: number;
  readonly process: string | undefined;
  readonly stage: CallStage;
  readonly epoch: number;
  readonly args?: JsonValue | undefined;
  readonly listed: ListedCall;
  readonly outcome?: StoredCall['outcome'];
  readonly trace?: StoredCall['trace'];
  readonly progress?: StoredCall['progress'];
  readonly handle: string;
  readonly key?: CallKey | undefined;
  readonly keyUntil: number;
  readonly isCancelled: boolean;
  readonly cancelledBy?: string | undefined;
  readonly remainingMs?: number | undefined;
  readonly guessAbout?: number | undefined;
  readonly replacedBy?: string | undefined;
  readonly grant?: string | undefined;
  readonly changes: number;
  readonly begunAt: number;
  readonly changedAt: number;
  readonly endedAt?: number | undefined;
  readonly runSince: number;
  readonly wakeAt?: number | undefined;
  /** Since when it is due because of an answer or a cancel. */
  readonly wokenAt?: number | undefined;
  readonly steps: readonly ModelStep[];
  readonly questions: readonly ModelQuestion[];
}

type ModelStep = Omit<StoredStep, 'leftMs'> & { readonly until?: number };
type ModelQuestion = Omit<StoredQuestion, 'listed' | 'call' | 'tool' | 'tenant'> & {
  readonly order: number;
  readonly notices: readonly ModelNotice[];
};

interface ModelNotice {
  readonly to: string;
  readonly event: NoticeEvent | undefined;
  readonly attempts: number;
  readonly dueAt: number;
}

type ModelGrant = Omit<StoredGrant, 'isActive'> & Pick<NewGrant, 'keepMs'>;

export const emptyModel: LedgerModel = { calls: [], grants: [], processes: {}, count: 0 };

/**
 * Does to a model what an operation does to a ledger, and gives the model after it with the answer. Which of several due calls it takes, the
 * model chooses like the ledger that was observed; where others wrote at the same moment, it takes those alone.
 */
export function applyOperation(
  model: LedgerModel,
  { name, with: words }: LedgerOperation,
  now: number,
  observed: Observed = {},
): readonly [after: LedgerModel, answer: unknown] {
  const after = dropForgotten(model, now);
  return (operations[name] as (...words: never[]) => ReturnType<Operation<never[]>>)(
    ...([{ model: after, now, observed }, ...words] as never[]),
  );
}

/** The answer of a ledger: when nobody else wrote, or among others that did. */
export interface Observed {
  readonly alone?: unknown;
  readonly among?: unknown;
}

interface At {
  readonly model: LedgerModel;
  readonly now: number;
  readonly observed: Observed;
}

type Operation<TWords extends unknown[]> = (at: At, ...words: TWords) => readonly [LedgerModel, unknown];

const operations: { readonly [TName in OperationName]: Operation<Parameters<Ledger[TName]>> } = {
  begin(at, call) {
    const { model, now } = at;
    const { tenant, id, key, instead, wait, grants } = call;
    if (findCall(model, tenant, id)) return [model, { is: 'refused' }];
    const holder = key && findHolder(model, tenant, key.text, now);
    if (holder && !(instead?.tenant === tenant && instead.id === holder.new.id))
      return [model, { is: 'found', call: toStored(at, holder) }];
    const from = instead && (instead.tenant === tenant ? findCall(model, tenant, instead.id) : undefined);
    if (instead && !from) return [model, { is: 'refused' }];
    if (instead && from && (from.stage !== 'ended' || from.epoch !== instead.epoch || from.replacedBy !== undefined))
      return [model, { is: 'found', call: toStored(at, from) }];
    if (isFull(model, tenant, wait)) return [model, { is: 'full' }];
    const grant = firstActive(model, tenant, grants, now);
    if (grants && !grant) return [model, { is: 'ungranted' }];
    const moves = ({ kind, state }: ModelQuestion) => kind === 'input' && state === 'answered';
    const begun: ModelCall = {
      new: call,
      order: model.count,
      process: call.process,
      stage: 'running',
      epoch: 1,
      args: call.args,
      listed: call.listed,
      handle: id,
      keyUntil: now,
      isCancelled: false,
      ...(grant && { grant: grant.id }),
      changes: 0,
      begunAt: now,
      changedAt: now,
      runSince: now,
      steps: (from?.steps ?? []).map((step) => ({ ...step, epoch: 0 })),
      questions: (from?.questions ?? []).filter(moves),
    };
    let next: LedgerModel = used({ ...model, count: model.count + 1, calls: [...model.calls, begun] }, grant, now);
    if (from) {
      const left = { ...from, steps: [], questions: from.questions.filter((each) => !moves(each)), key: undefined, replacedBy: id };
      next = written(next, left, now);
    }
    const owner = key && !findHolder(next, tenant, key.text, now) ? withKey(begun, key) : begun;
    next = replace(freeKey(next, owner), owner);
    return [wait ? toWaiting(next, owner, wait, now) : written(next, owner, now), { is: 'begun', epoch: 1, grant: grant?.id }];
  },
  take(at, { tenant, id }, { epoch, process, from, grants }) {
    const { model, now } = at;
    const call = findCall(model, tenant, id);
    const isThere = call !== undefined && call.epoch === epoch && call.process !== undefined;
    const mayTake = {
      waiting: call?.stage === 'waiting',
      dead: call?.stage === 'running' && call.process !== process && isDead(model, call, now),
    };
    const grant = firstActive(model, tenant, grants, now);
    if (!isThere || !mayTake[from] || (grants && !grant)) return [model, { is: 'lost', call: call && toStored(at, call) }];
    const isAsked = (question: ModelQuestion) => question.kind === 'approval' && question.state === 'open' && !isOver(question, now);
    const withdrawn = (question: ModelQuestion): ModelQuestion =>
      isAsked(question) ? { ...question, state: 'withdrawn', decidedAt: now } : question;
    const under = grant ? { ...call, grant: grant.id, questions: call.questions.map(withdrawn) } : call;
    const next = toTaken(used(model, grant, now), under, process, now);
    return [next, { is: 'taken', call: toTakenCall({ ...at, model: next }, tenant, id, call.stage === 'running') }];
  },
  takeDue(at, { process, tools, limit, graceMs = 0 }) {
    const { model, now, observed } = at;
    const due = model.calls.filter(
      (call) =>
        tools.includes(call.new.tool) &&
        call.process !== undefined &&
        (call.stage === 'waiting'
          ? dueAt(call) + graceMs <= now
          : call.new.isPromised && call.stage === 'running' && call.process !== process && isDead(model, call, now)),
    );
    const taken = (observed.among ?? observed.alone ?? []) as readonly CallState[];
    const isTaken = ({ new: { tenant, id } }: ModelCall) => taken.some((each) => each.tenant === tenant && each.id === id);
    const others = observed.among === undefined ? due.filter((call) => !isTaken(call)) : [];
    const chosen = [...due.filter(isTaken), ...others].slice(0, limit);
    let next = model;
    for (const call of chosen) next = toTaken(next, call, process, now);
    return [
      next,
      chosen
        .map(({ new: { tenant, id }, stage }) => toTakenCall({ ...at, model: next }, tenant, id, stage === 'running'))
        .sort((one, other) => byText(`${one.tenant} ${one.id}`, `${other.tenant} ${other.id}`)),
    ];
  },
  stepBegin: (at, run, step) => writeStep(at, run, { ...step, epoch: run.epoch, isOpen: true }),
  stepEnd: (at, run, { record, sleepMs, ...step }) =>
    writeStep(at, run, {
      ...step,
      epoch: run.epoch,
      isOpen: false,
      ...(record !== undefined && { record }),
      ...(sleepMs !== undefined && { until: at.now + sleepMs }),
    }),
  wait(at, run, wait) {
    const { model, now } = at;
    const call = findRun(model, run);
    if (!call) return lost(at, run);
    if (call.isCancelled) return [model, { is: 'cancelled' }];
    if (call.stage !== 'waiting' && isFull(model, run.tenant, wait)) return [model, { is: 'full' }];
    return [toWaiting(model, call, wait, now), { is: 'written' }];
  },
  answer(at, { tenant, handle }, { state, answer, wakes, end, grant }) {
    const { model, now } = at;
    const [call, question] = findQuestion(model, tenant, handle) ?? [];
    if (!call || !question) return [model, { is: 'unknown' }];
    const shown = toStoredQuestion(call, question);
    if (question.state !== 'open') return [model, { is: 'decided', question: shown }];
    if (isOver(question, now)) return [model, { is: 'expired', question: shown }];
    if (end && (call.stage !== 'waiting' || call.epoch !== end.epoch)) return [model, { is: 'changed' }];
    const decided = { ...question, state, answer, decidedAt: now };
    const answered = { ...call, questions: call.questions.map((each) => (each === question ? decided : each)) };
    const next = end
      ? toEnded(model, answered, end, now)
      : written(given(model, tenant, grant, now), { ...answered, wokenAt: answered.wokenAt ?? (wakes ? now : undefined) }, now);
    const after = findCall(next, tenant, call.new.id);
    return [next, after && { is: 'answered', question: toStoredQuestion(after, decided), call: toState({ ...at, model: next }, after) }];
  },
  end(at, run, end) {
    const { model, now } = at;
    const call = findCall(model, run.tenant, run.id);
    if (call && findRun(model, run)) return [toEnded(model, call, end, now), { is: 'written' }];
    if (call?.stage === 'ended' && call.guessAbout === run.epoch && end.guessAbout === undefined)
      return [toEnded(model, { ...call, epoch: call.epoch + 1 }, end, now), { is: 'written' }];
    return lost(at, run);
  },
  cancel(at, { tenant, id }, { by, end }) {
    const { model, now } = at;
    const call = findCall(model, tenant, id);
    if (!call) return [model, { is: 'unknown' }];
    if (call.stage === 'ended') return [model, { is: 'over', call: toStored(at, call) }];
    const ends = call.stage === 'waiting' && call.epoch === end?.epoch;
    if (call.isCancelled && !ends) return [model, { is: 'asked', call: toStored(at, call) }];
    const asked = call.isCancelled ? call : { ...call, isCancelled: true, cancelledBy: by };
    const wokenAt = asked.wokenAt ?? (call.stage === 'waiting' ? now : undefined);
    const next = ends && end ? toEnded(model, asked, end, now) : written(model, { ...asked, wokenAt }, now);
    return [next, { is: ends ? 'ended' : 'asked', call: toStored({ ...at, model: next }, findCall(next, tenant, id)) }];
  },
  note(at, run, { progress, joinKey }) {
    const { model, now } = at;
    const call = findRun(model, run);
    if (!call) return lost(at, run);
    const told = joinWith(model, progress ? { ...call, progress } : call, joinKey, now);
    return [written(freeKey(model, told), told, now), { is: 'written' }];
  },
  heartbeat({ model, now }, { process, leaseMs, ranMs }) {
    const own = model.calls
      .filter((call) => call.stage === 'running' && call.process === process && (call.isCancelled || now - call.runSince >= ranMs))
      .map(({ new: { tenant, id }, epoch, isCancelled }) => ({ tenant, id, epoch, isCancelled }))
      .sort((one, other) => byText(`${one.tenant} ${one.id}`, `${other.tenant} ${other.id}`));
    return [{ ...model, processes: { ...model.processes, [process]: now + leaseMs } }, own];
  },
  get: (at, tenant, handle) => [at.model, toStored(at, findByHandle(at.model, tenant, handle) ?? findAsked(at.model, tenant, handle)?.[0])],
  findByKey: (at, tenant, key) => [at.model, toStored(at, findHolder(at.model, tenant, key, at.now))],
  isAlive: ({ model, now }, process) => [model, lives(model, process, now)],
  look: (at, places) => [
    at.model,
    places
      .flatMap(({ tenant, id }) => findCall(at.model, tenant, id) ?? [])
      .map((call) => toState(at, call))
      .sort((one, other) => byText(`${one.tenant} ${one.id}`, `${other.tenant} ${other.id}`)),
  ],
  args: ({ model }, { tenant, id }) => [model, findCall(model, tenant, id)?.args],
  steps: (at, { tenant, id }) => [at.model, toSteps(at, findCall(at.model, tenant, id))],
  list: (at, query) => [
    at.model,
    at.model.calls
      .filter((call) => isListed(call, query))
      .toSorted((one, other) => other.new.by.begunAt - one.new.by.begunAt || other.order - one.order)
      .map((call) => ({ ...toState(at, call), listed: call.listed, ...(call.progress && { progress: call.progress }) })),
  ],
  grants({ model, now }, { tenant, tool, scopes, onlyActive = false, limit, after }) {
    const own = model.grants.filter((grant) => grant.tenant === tenant);
    const last = after === undefined ? -1 : own.findIndex(({ id }) => id === after);
    const found = own
      .slice(last + 1)
      .filter((grant) => tool === undefined || grant.tool === tool)
      .filter((grant) => scopes === undefined || scopes.includes(grant.scope))
      .filter((grant) => !onlyActive || isActive(grant, now));
    return [model, after !== undefined && last < 0 ? [] : found.slice(0, limit).map((grant) => toGrant(grant, now))];
  },
  revoke({ model, now }, { tenant, id }, { by }) {
    const grant = model.grants.find((each) => each.tenant === tenant && each.id === id);
    if (!grant) return [model, { is: 'unknown' }];
    if (!isActive(grant, now)) return [model, { is: 'over', grant: toGrant(grant, now) }];
    const revoked = { ...grant, revokedAt: now, revokedBy: by };
    return [withGrant(model, revoked), { is: 'revoked', grant: toGrant(revoked, now) }];
  },
  questions(at, { tenant, kind, limit, after }) {
    const { model, now } = at;
    const last = after === undefined ? -1 : findAsked(model, tenant, after)?.[1].order;
    const found = model.calls
      .filter((call) => call.new.tenant === tenant && call.stage !== 'ended')
      .flatMap((call) => call.questions.map((question) => [call, question] as const))
      .filter(([, question]) => question.kind === kind && question.state === 'open' && !isOver(question, now))
      .filter(([, { order }]) => last !== undefined && order > last)
      .toSorted(([, one], [, other]) => one.order - other.order);
    return [model, found.slice(0, limit).map(([call, question]) => toStoredQuestion(call, question))];
  },
  takeNotices(at, { to, limit, leaseMs }) {
    const { model, now, observed } = at;
    const own = model.calls.flatMap((call) =>
      call.questions.flatMap((question) =>
        question.notices
          .filter((notice) => notice.to === to && notice.event !== undefined)
          .map((notice) => ({
            isDue: notice.dueAt <= now && (notice.event === 'asked' || question.state !== 'open' || isOver(question, now)),
            taken: {
              tenant: call.new.tenant,
              handle: question.handle,
              to,
              event: notice.event as NoticeEvent,
              attempt: notice.attempts + 1,
              question: toStoredQuestion(call, question),
            },
          })),
      ),
    );
    const due = own.filter(({ isDue }) => isDue).map(({ taken }) => taken);
    const given = ((observed.among ?? observed.alone) as TakenNotices | undefined)?.notices ?? [];
    const isGiven = ({ tenant, handle }: TakenNotice) => given.some((each) => each.tenant === tenant && each.handle === handle);
    const others = observed.among === undefined ? due.filter((notice) => !isGiven(notice)) : [];
    const chosen = [...due.filter(isGiven), ...others].slice(0, limit);
    let next = model;
    for (const { tenant, handle, attempt } of chosen)
      next = withNotice(next, { tenant, handle, to }, (notice) => ({ ...notice, attempts: attempt, dueAt: now + leaseMs }));
    return [next, { notices: chosen.toSorted(byHandle), areLeft: own.length > chosen.length }];
  },
  settleNotice({ model, now }, { event, attempt, ...at }, { againMs }) {
    const [, question] = findAsked(model, at.tenant, at.handle) ?? [];
    const notice = question?.notices.find(({ to }) => to === at.to);
    if (notice?.event !== event || notice.attempts !== attempt) return [model, false];
    const told = { event: event === 'asked' ? ('closed' as const) : undefined, attempts: 0 };
    return [withNotice(model, at, (each) => ({ ...each, dueAt: now + (againMs ?? 0), ...(againMs === undefined && told) })), true];
  },
};

/** Changes one notice. */
function withNotice(
  model: LedgerModel,
  { tenant, handle, to }: Pick<NoticePlace, 'tenant' | 'handle' | 'to'>,
  change: (notice: ModelNotice) => ModelNotice,
): LedgerModel {
  const [call, question] = findAsked(model, tenant, handle) ?? [];
  if (!call || !question) return model;
  const notices = question.notices.map((notice) => (notice.to === to ? change(notice) : notice));
  return replace(model, { ...call, questions: call.questions.map((each) => (each === question ? { ...question, notices } : each)) });
}

function byHandle(one: TakenNotice, other: TakenNotice): number {
  return byText(`${one.tenant} ${one.handle}`, `${other.tenant} ${other.handle}`);
}

function dropForgotten(model: LedgerModel, now: number): LedgerModel {
  const isForgotten = ({ changedAt, stage, new: { keepMs, isPromised } }: ModelCall): boolean =>
    changedAt + keepMs <= now && (stage === 'ended' || (stage === 'running' && !isPromised));
  const grants = model.grants.filter(({ expiresAt, keepMs }) => now < expiresAt + keepMs);
  return model.calls.some(isForgotten) || grants.length < model.grants.length
    ? { ...model, grants, calls: model.calls.filter((call) => !isForgotten(call)) }
    : model;
}

function isActive({ revokedAt, expiresAt, uses, mostUses = Number.POSITIVE_INFINITY }: ModelGrant, now: number): boolean {
  return revokedAt === undefined && now < expiresAt && uses < mostUses;
}

/** Finds the first of the named grants that counts. */
function firstActive(model: LedgerModel, tenant: string, ids: readonly string[] | undefined, now: number): ModelGrant | undefined {
  const grants = (ids ?? []).flatMap((id) => model.grants.find((grant) => grant.tenant === tenant && grant.id === id) ?? []);
  return grants.find((grant) => isActive(grant, now));
}

function withGrant(model: LedgerModel, grant: ModelGrant): LedgerModel {
  const isIt = ({ tenant, id }: ModelGrant) => tenant === grant.tenant && id === grant.id;
  return { ...model, grants: model.grants.map((each) => (isIt(each) ? grant : each)) };
}

function used(model: LedgerModel, grant: ModelGrant | undefined, now: number): LedgerModel {
  return grant ? withGrant(model, { ...grant, uses: grant.uses + 1, usedAt: now }) : model;
}

function given(model: LedgerModel, tenant: string, grant: NewGrant | undefined, now: number): LedgerModel {
  if (!grant) return model;
  const { expiresMs, ...rest } = grant;
  return { ...model, grants: [...model.grants, { ...rest, tenant, uses: 0, givenAt: now, expiresAt: now + expiresMs }] };
}

function toGrant(grant: ModelGrant, now: number): StoredGrant {
  const { keepMs: _, ...shown } = grant;
  return { ...shown, isActive: isActive(grant, now) };
}

function findCall({ calls }: LedgerModel, tenant: string, id: string): ModelCall | undefined {
  return calls.find((call) => call.new.tenant === tenant && call.new.id === id);
}

function findByHandle(model: LedgerModel, tenant: string, handle: string): ModelCall | undefined {
  return findCall(model, tenant, handle) ?? model.calls.find((call) => call.new.tenant === tenant && call.handle === handle);
}

function findAsked({ calls }: LedgerModel, tenant: string, handle: string): readonly [ModelCall, ModelQuestion] | undefined {
  for (const call of calls) {
    const question = call.new.tenant === tenant && call.questions.find((each) => each.handle === handle);
    if (question) return [call, question];
  }
  return undefined;
}

function findQuestion(model: LedgerModel, tenant: string, handle: string): readonly [ModelCall, ModelQuestion] | undefined {
  const asked = findAsked(model, tenant, handle);
  const call = findByHandle(model, tenant, handle);
  if (asked || !call) return asked;
  const open = call.questions.filter(({ state }) => state === 'open');
  const named = open.length > 0 ? open : call.questions.slice(-1);
  return named[0] && named.length === 1 ? [call, named[0]] : undefined;
}

function findRun(model: LedgerModel, { tenant, id, epoch }: { readonly tenant: string; readonly id: string; readonly epoch: number }) {
  const call = findCall(model, tenant, id);
  return call?.epoch === epoch && call.stage !== 'ended' ? call : undefined;
}

function hasKey({ key, stage, keyUntil }: ModelCall, now: number): boolean {
  return key !== undefined && (stage !== 'ended' || now < keyUntil);
}

function findHolder({ calls }: LedgerModel, tenant: string, text: string, now: number): ModelCall | undefined {
  return calls.find((call) => call.new.tenant === tenant && call.key?.text === text && hasKey(call, now));
}

function lives({ processes }: LedgerModel, process: string, now: number): boolean {
  return now < (processes[process] ?? Number.NEGATIVE_INFINITY);
}

function isDead(model: LedgerModel, { stage, guessAbout, epoch, process }: ModelCall, now: number): boolean {
  return (stage === 'running' || (stage === 'ended' && guessAbout === epoch)) && process !== undefined && !lives(model, process, now);
}

function isOver({ expiresAt }: ModelQuestion, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

function isFull({ calls }: LedgerModel, tenant: string, wait: Wait | undefined): boolean {
  if (wait?.mostWaiting === undefined) return false;
  return calls.filter((call) => call.new.tenant === tenant && call.stage === 'waiting').length >= wait.mostWaiting;
}

function dueAt({ wakeAt = Number.POSITIVE_INFINITY, wokenAt = Number.POSITIVE_INFINITY }: ModelCall): number {
  return Math.min(wakeAt, wokenAt);
}

function isListed(call: ModelCall, query: CallQuery): boolean {
  const { by, tenant, tool } = call.new;
  const { status, kind, replayOf } = call.listed;
  return (
    tenant === query.tenant &&
    (query.tool?.includes(tool) ?? true) &&
    (query.status?.includes(status) ?? true) &&
    (query.kind?.some((each) => each === kind) ?? true) &&
    [by.runId, undefined].includes(query.runId) &&
    [by.sessionId, undefined].includes(query.sessionId) &&
    [by.callerKey, undefined].includes(query.callerKey) &&
    [replayOf, undefined].includes(query.replayOf) &&
    by.begunAt >= (query.since ?? by.begunAt) &&
    by.begunAt <= (query.until ?? by.begunAt)
  );
}

function replace(model: LedgerModel, call: ModelCall): LedgerModel {
  const isIt = ({ new: { tenant, id } }: ModelCall) => tenant === call.new.tenant && id === call.new.id;
  return { ...model, calls: model.calls.map((each) => (isIt(each) ? call : each)) };
}

/** Writes a call as it is after a change. */
function written(model: LedgerModel, call: ModelCall, now: number): LedgerModel {
  return replace(model, { ...call, changes: call.changes + 1, changedAt: now, keyUntil: now + (call.key?.countsMs ?? 0) });
}

function withKey(call: ModelCall, { text, countsMs }: CallKey): ModelCall {
  return { ...call, key: { text, countsMs } };
}

function joinWith(model: LedgerModel, call: ModelCall, key: CallKey | undefined, now: number): ModelCall {
  return key && !call.key && !findHolder(model, call.new.tenant, key.text, now) ? withKey(call, key) : call;
}

/** Takes the key of a call from all that have had it. */
function freeKey(model: LedgerModel, { key, new: { tenant, id } }: ModelCall): LedgerModel {
  const hadIt = (call: ModelCall) => key !== undefined && call.new.tenant === tenant && call.new.id !== id && call.key?.text === key.text;
  return { ...model, calls: model.calls.map((call) => (hadIt(call) ? { ...call, key: undefined } : call)) };
}

function toWaiting(model: LedgerModel, call: ModelCall, wait: Wait, now: number): LedgerModel {
  const asked = wait.questions.filter(
    ({ id }, index) =>
      !call.questions.some((each) => each.id === id) && wait.questions.findIndex((each: NewQuestion) => each.id === id) === index,
  );
  const questions = asked.map(({ expiresMs, ...question }, index) => ({
    ...question,
    order: model.count + index,
    state: 'open' as const,
    askedAt: now,
    notices: [...new Set(wait.notify)].map((to) => ({ to, event: 'asked' as const, attempts: 0, dueAt: now })),
    ...(expiresMs !== undefined && { expiresAt: now + expiresMs }),
  }));
  const waiting: ModelCall = {
    ...joinWith(model, call, wait.joinKey, now),
    stage: 'waiting',
    outcome: wait.outcome,
    listed: wait.listed,
    remainingMs: wait.remainingMs,
    handle: wait.handle ?? call.handle,
    wakeAt: wait.wakeMs === undefined ? undefined : now + wait.wakeMs,
    questions: [...call.questions, ...questions],
  };
  return written({ ...freeKey(model, waiting), count: model.count + questions.length }, waiting, now);
}

function toTaken(model: LedgerModel, call: ModelCall, process: string | undefined, now: number): LedgerModel {
  const taken: ModelCall = {
    ...call,
    stage: 'running',
    epoch: call.epoch + 1,
    process,
    runSince: now,
    wakeAt: undefined,
    wokenAt: undefined,
  };
  return written(model, taken, now);
}

function toEnded(model: LedgerModel, call: ModelCall, end: CallEnd, now: number): LedgerModel {
  const { outcome, listed, trace, keyCountsMs, keepsSteps, guessAbout } = end;
  const ended: ModelCall = {
    ...call,
    stage: 'ended',
    outcome,
    listed,
    trace,
    guessAbout,
    endedAt: now,
    args: keepsSteps ? call.args : undefined,
    steps: keepsSteps ? call.steps : [],
    questions: call.questions.map((question) =>
      question.state === 'open' && !isOver(question, now) ? { ...question, state: 'withdrawn', decidedAt: now } : question,
    ),
  };
  const next = written(model, ended, now);
  const stored = findCall(next, call.new.tenant, call.new.id);
  if (!stored || keyCountsMs === undefined) return next;
  return replace(next, keyCountsMs <= 0 ? { ...stored, key: undefined } : { ...stored, keyUntil: now + keyCountsMs });
}

function writeStep(at: At, run: Parameters<Ledger['stepEnd']>[0], step: ModelStep): readonly [LedgerModel, unknown] {
  const call = findRun(at.model, run);
  if (!call) return lost(at, run);
  const isNew = !call.steps.some(({ id }) => id === step.id);
  const steps = isNew ? [...call.steps, step] : call.steps.map((each) => (each.id === step.id ? step : each));
  return [replace(at.model, { ...call, steps }), { is: 'written' }];
}

function lost(at: At, { tenant, id }: { readonly tenant: string; readonly id: string }): readonly [LedgerModel, unknown] {
  return [at.model, { is: 'lost', call: toStored(at, findCall(at.model, tenant, id)) }];
}

function toState({ model, now }: At, call: ModelCall): CallState {
  const { tenant, id } = call.new;
  const { epoch, stage, isCancelled, changes } = call;
  return { tenant, id, epoch, stage, isCancelled, isDead: isDead(model, call, now), changes };
}

function toStored(at: At, call: ModelCall | undefined): StoredCall | undefined {
  if (!call) return undefined;
  const { now } = at;
  const { tool, isPromised, origin, start, keepMs } = call.new;
  const { handle, process, key, listed, outcome, trace, progress, remainingMs, guessAbout, replacedBy, cancelledBy, grant } = call;
  const { begunAt, changedAt, endedAt, questions, stage } = call;
  return {
    ...toState(at, call),
    tool,
    handle,
    isPromised,
    process,
    key: hasKey(call, now) ? key?.text : undefined,
    origin,
    start,
    listed,
    outcome,
    trace,
    progress,
    remainingMs,
    guessAbout,
    replacedBy,
    grant,
    cancelledBy,
    begunAt,
    changedAt,
    readAt: now,
    wakeAt: stage === 'waiting' && dueAt(call) < Number.POSITIVE_INFINITY ? dueAt(call) : undefined,
    endedAt,
    keptUntil: changedAt + keepMs,
    questions: questions.map((question) => toStoredQuestion(call, question)),
  };
}

function toTakenCall(at: At, tenant: string, id: string, wasDead: boolean): TakenCall {
  const call = findCall(at.model, tenant, id);
  return { ...(toStored(at, call) as StoredCall), wasDead, args: call?.args, steps: toSteps(at, call) };
}

function toSteps({ now }: At, call: ModelCall | undefined): readonly StoredStep[] {
  return (call?.steps ?? []).map(({ until, ...step }) => ({ ...step, ...(until !== undefined && { leftMs: until - now }) }));
}

function toStoredQuestion(
  { new: { tenant, id, tool }, listed }: ModelCall,
  { order: _, notices: __, ...question }: ModelQuestion,
): StoredQuestion {
  return { ...question, tenant, call: id, tool, listed };
}

function byText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

const maxPages = 1000;

/** Does an operation with a ledger, and gives its answer as a model gives it: whole lists, and in a fixed order what comes in any. */
export async function askLedger(calls: Ledger, { name, with: words }: LedgerOperation): Promise<unknown> {
  if (name === 'list') return listAll(calls, words[0]);
  const answer = await (calls[name] as (...words: unknown[]) => Promise<unknown>)(...words);
  if (name === 'takeNotices') {
    const taken = answer as TakenNotices;
    return { ...taken, notices: taken.notices.toSorted(byHandle) };
  }
  return isUnordered[name] === true && Array.isArray(answer)
    ? answer.toSorted((one: CallState, other: CallState) => byText(`${one.tenant} ${one.id}`, `${other.tenant} ${other.id}`))
    : answer;
}

const isUnordered: { readonly [TName in OperationName]?: true } = { takeDue: true, heartbeat: true, look: true };

async function listAll(calls: Ledger, query: CallQuery): Promise<unknown[]> {
  const found = [];
  let { cursor } = query;
  for (let pages = 0; pages < maxPages; pages += 1) {
    const { rows, next } = await calls.list({ ...query, cursor });
    found.push(...rows.map(({ cursor: _, ...row }) => row));
    cursor = next;
    if (cursor === undefined) break;
  }
  return found;
}

/** How moments are compared: as milliseconds since a moment, or in steps as long as stated, where clocks differ. */
export interface MomentScale {
  readonly from: number;
  readonly stepMs: number;
}

/** Checks whether an observed answer is that of the model, which has a clock of its own. */
export function isAnswer(observed: unknown, observedScale: MomentScale, modelled: unknown, modelScale: MomentScale): boolean {
  return isSame(toComparable(observed, observedScale), toComparable(modelled, modelScale));
}

const moments: ReadonlySet<string> = new Set(
  'begunAt changedAt readAt wakeAt endedAt keptUntil askedAt expiresAt decidedAt givenAt usedAt revokedAt'.split(' '),
);

/** Writes moments of an answer as steps, and leaves out what is undefined. */
function toComparable(answer: unknown, scale: MomentScale): unknown {
  if (Array.isArray(answer)) return answer.map((part) => toComparable(part, scale));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).flatMap(([name, part]) => {
      if (part === undefined) return [];
      if (typeof part !== 'number') return [[name, toComparable(part, scale)]];
      const from = name === 'leftMs' ? 0 : scale.from;
      // Adding 0 makes 0 of what is less than nothing.
      return [[name, moments.has(name) || name === 'leftMs' ? Math.round((part - from) / scale.stepMs) + 0 : part]];
    }),
  );
}
