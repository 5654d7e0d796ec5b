import type {
  CallEnd,
  CallKey,
  CallPlace,
  CallStage,
  Ledger,
  NewCall,
  QuestionKind,
  RunPlace,
  StoredCall,
  TakenCall,
  Taker,
  Wait,
  Written,
} from '../ports/index.ts';
import { toCursor, toSpan } from './list-span.ts';
import {
  type CallValues,
  hasKey,
  isDueNotice,
  isForgotten,
  isOver,
  type ListedParts,
  type MemoryCall,
  type MemoryNotice,
  type MemoryQuestion,
  type MemoryStep,
  sizeOfQuestion,
  sizeOfStep,
  toCallState,
  toListedBy,
  toListedParts,
  toNoticePlace,
  toStoredCall,
  toStoredQuestion,
  toStoredStep,
} from './memory/memory-call.ts';
import { createMemoryGrants } from './memory/memory-grants.ts';
import { leaseBounds, type Retention, toWindowEnd } from './retention.ts';
import { toRowLimit } from './row-limits.ts';
import { encodeValue } from './stored-text.ts';

/** Where a memory ledger keeps what it holds. */
export interface MemoryLedgerOptions extends Retention {
  /** Returns the time, or throws where the store is closed. */
  readonly enter: () => number;
  /** Makes room for so many records and characters more, or throws. */
  readonly reserve: (records: number, characters: number, time: number) => void;
}

/** A ledger in memory, and what its store has to know of it. */
export interface MemoryLedger {
  readonly calls: Ledger;
  /** How many calls, steps, questions and grants it holds. */
  readonly records: () => number;
  readonly characters: () => number;
  /** Nothing is to be forgotten before this. */
  readonly earliest: () => number;
  /** Forgets what is to be forgotten; gives how much that was. */
  readonly sweep: (time: number) => number;
  readonly clear: () => void;
}

interface Tenant {
  readonly calls: Map<string, MemoryCall>;
  readonly keys: Map<string, MemoryCall>;
  readonly handles: Map<string, MemoryCall>;
  readonly questions: Map<string, MemoryQuestion>;
  waiting: number;
}

/** The values of a call that a write brings; what it names as undefined goes. */
type NewValues = Partial<CallValues>;

interface KeptWait {
  readonly values: NewValues;
  readonly parts: ListedParts;
  readonly asks: readonly string[];
}

interface KeptEnd {
  readonly values: NewValues;
  readonly parts: ListedParts;
}

/**
 * Keeps calls in this process. Each operation does all of its work at once, so that none comes between. What a caller gave is copied before
 * anything is looked at: a getter in it may ask the ledger too.
 */
export function createMemoryLedger({ enter, reserve, retentionMs = Number.POSITIVE_INFINITY }: MemoryLedgerOptions): MemoryLedger {
  const tenants = new Map<string, Tenant>();
  /** Until when processes are alive. */
  const processes = new Map<string, number>();
  /** Calls that have not ended. */
  const live = new Set<MemoryCall>();
  const listeners = new Set<(at: CallPlace | undefined) => void>();
  const grants = createMemoryGrants();
  /** Unsent notices by recipient, in the order of their questions. */
  const notices = new Map<string, Set<MemoryNotice>>();
  let [records, characters, seq, earliest] = [0, 0, 0, Number.POSITIVE_INFINITY];

  const tenantOf = (name: string): Tenant => {
    const known = tenants.get(name);
    if (known !== undefined) return known;
    const tenant: Tenant = {
      calls: new Map(),
      keys: new Map(),
      handles: new Map(),
      questions: new Map(),
      waiting: 0,
    };
    tenants.set(name, tenant);
    return tenant;
  };

  const aliveUntil = (process: string): number => processes.get(process) ?? 0;
  const isAlive = (process: string, time: number): boolean => time < aliveUntil(process);
  const stored = (call: MemoryCall, time: number): StoredCall => toStoredCall(call, time, isAlive);
  const lost = (call: MemoryCall | undefined, time: number): Written => ({ is: 'lost', call: call && stored(call, time) });

  /** Returns a call unless it is to be forgotten: then it goes now. */
  const ifKept = (call: MemoryCall | undefined, time: number): MemoryCall | undefined => {
    if (call === undefined || !isForgotten(call, time)) return call;
    forget(call);
    return undefined;
  };
  const find = ({ tenant, id }: CallPlace, time: number): MemoryCall | undefined => ifKept(tenants.get(tenant)?.calls.get(id), time);
  const findByHandle = (tenant: Tenant | undefined, handle: string, time: number): MemoryCall | undefined =>
    ifKept(tenant?.calls.get(handle), time) ?? ifKept(tenant?.handles.get(handle), time);
  const findAsked = (tenant: Tenant | undefined, handle: string, time: number): MemoryQuestion | undefined => {
    const question = tenant?.questions.get(handle);
    return ifKept(question?.call, time) && question;
  };
  const findByKey = (tenant: Tenant | undefined, text: string, time: number): MemoryCall | undefined => {
    const call = ifKept(tenant?.keys.get(text), time);
    return call !== undefined && hasKey(call, time) ? call : undefined;
  };
  /** Returns the call of a run, unless the run is lost. */
  const ofRun = (call: MemoryCall | undefined, { epoch }: RunPlace): MemoryCall | undefined =>
    call?.epoch === epoch && call.stage !== 'ended' ? call : undefined;

  /** Changes the call of a run, unless the run is lost. */
  const changeRun = <TDone>(run: RunPlace, change: (call: MemoryCall, time: number) => TDone): TDone | Written => {
    const time = enter();
    const found = find(run, time);
    const call = ofRun(found, run);
    return call === undefined ? lost(found, time) : change(call, time);
  };

  const canBeTaken: Readonly<Record<Taker['from'], (call: MemoryCall, time: number, asker: string) => boolean>> = {
    waiting: ({ stage, process }) => stage === 'waiting' && process !== undefined,
    dead: ({ stage, process }, time, asker) => stage === 'running' && process !== undefined && process !== asker && !isAlive(process, time),
  };

  const moveTo = (call: MemoryCall, stage: CallStage): void => {
    tenantOf(call.tenant).waiting += Number(stage === 'waiting') - Number(call.stage === 'waiting');
    call.stage = stage;
    if (stage === 'waiting') call.dueAt = Math.min(call.wokenAt ?? Number.POSITIVE_INFINITY, call.wakeAt ?? Number.POSITIVE_INFINITY);
    if (stage === 'ended') live.delete(call);
    else live.add(call);
  };

  /** Lets a call that waits be due now, and one that runs as soon as it waits. */
  const wake = (call: MemoryCall, time: number): void => {
    call.wokenAt ??= time;
    if (call.stage === 'waiting') moveTo(call, 'waiting');
  };

  const forget = (call: MemoryCall): void => {
    live.delete(call);
    const tenant = tenantOf(call.tenant);
    tenant.calls.delete(call.id);
    freeKey(tenant, call);
    if (tenant.handles.get(call.handle) === call) tenant.handles.delete(call.handle);
    for (const question of call.questions.values()) {
      if (tenant.questions.get(question.handle) === question) tenant.questions.delete(question.handle);
      for (const notice of question.notices) notices.get(notice.to)?.delete(notice);
    }
    if (tenant.calls.size === 0) tenants.delete(call.tenant);
    records -= 1 + call.steps.size + call.questions.size;
    characters -= call.size;
  };

  const resize = (call: MemoryCall, size: number): void => {
    call.size += size;
    characters += size;
  };

  const freeKey = (tenant: Tenant, call: MemoryCall): void => {
    if (call.key === undefined) return;
    tenant.keys.delete(call.key.text);
    resize(call, -call.key.text.length);
    call.key = undefined;
  };

  /** Gives a key to a call, unless another one has it. */
  const giveKey = (call: MemoryCall, { text, countsMs }: CallKey, time: number): void => {
    const tenant = tenantOf(call.tenant);
    if (findByKey(tenant, text, time) !== undefined) return;
    const before = tenant.keys.get(text);
    if (before !== undefined) freeKey(tenant, before);
    call.key = { text, countsMs };
    tenant.keys.set(text, call);
    resize(call, text.length);
  };

  const giveHandle = (call: MemoryCall, handle: string): void => {
    const { handles } = tenantOf(call.tenant);
    if (handles.get(call.handle) === call) handles.delete(call.handle);
    handles.set(handle, call);
    resize(call, handle.length - call.handle.length);
    call.handle = handle;
  };

  const grownBy = (call: CallValues, values: NewValues): number => {
    let size = 0;
    for (const name of Object.keys(values) as (keyof NewValues)[]) size += (values[name]?.length ?? 0) - (call[name]?.length ?? 0);
    return size;
  };

  /** Counts a write of a call, and lets it be heard. */
  const touch = (call: MemoryCall, time: number): void => {
    call.changes += 1;
    call.changedAt = time;
    call.keptUntil = toWindowEnd(time, call.keepMs);
    if (call.key !== undefined) call.keyUntil = toWindowEnd(time, call.key.countsMs);
    if (call.stage === 'ended' || (call.stage === 'running' && !call.isPromised)) earliest = Math.min(earliest, call.keptUntil);
    if (listeners.size > 0) tell({ tenant: call.tenant, id: call.id });
  };

  const tell = (at: CallPlace): void =>
    queueMicrotask(() => {
      for (const listener of listeners) {
        try {
          listener(at);
        } catch {
          // Whoever hears badly must not keep others from hearing.
        }
      }
    });

  const addNotices = (question: MemoryQuestion, recipients: readonly string[], time: number): void => {
    question.notices = [...new Set(recipients)].map((to) => {
      const notice: MemoryNotice = { to, question, event: 'asked', dueAt: time, attempts: 0 };
      const others = notices.get(to) ?? new Set<MemoryNotice>();
      notices.set(to, others.add(notice));
      return notice;
    });
  };

  const addQuestions = (call: MemoryCall, { questions, notify = [] }: Wait, asks: readonly string[], time: number): void => {
    const tenant = tenantOf(call.tenant);
    for (const [index, { handle, kind, id, expiresMs }] of questions.entries()) {
      if (call.questions.has(id)) continue;
      seq += 1;
      const question: MemoryQuestion = {
        seq,
        handle,
        kind,
        id,
        ask: asks[index] as string,
        askedAt: time,
        expiresAt: expiresMs === undefined ? undefined : toWindowEnd(time, expiresMs),
        call,
        state: 'open',
        decidedAt: undefined,
        answer: undefined,
        notices: [],
      };
      addNotices(question, notify, time);
      call.questions.set(id, question);
      tenant.questions.set(handle, question);
      records += 1;
      resize(call, sizeOfQuestion(question));
    }
  };

  /** Lets a call that runs or begins wait. */
  const letWait = (call: MemoryCall, wait: Wait, { values, parts, asks }: KeptWait, time: number): void => {
    const { wakeMs, remainingMs, handle, joinKey } = wait;
    resize(call, grownBy(call, values));
    Object.assign(call, values, { parts, remainingMs, wakeAt: wakeMs === undefined ? undefined : toWindowEnd(time, wakeMs) });
    if (handle !== undefined) giveHandle(call, handle);
    if (joinKey !== undefined && call.key === undefined) giveKey(call, joinKey, time);
    addQuestions(call, wait, asks, time);
    moveTo(call, 'waiting');
    touch(call, time);
  };

  /** Returns the most characters by which a call grows as it waits. */
  const roomToWait = (call: CallValues, { questions, handle, joinKey }: Wait, { values, asks }: KeptWait): number => {
    let size = grownBy(call, values) + (handle?.length ?? 0) + (joinKey?.text.length ?? 0);
    for (const [index, { id, handle }] of questions.entries())
      size += sizeOfQuestion({ id, handle, ask: asks[index] as string, answer: undefined });
    return size;
  };

  const dropSteps = (call: MemoryCall): void => {
    let size = 0;
    for (const step of call.steps.values()) size += sizeOfStep(step);
    records -= call.steps.size;
    resize(call, -size);
    call.steps = new Map();
  };

  /** Closes the questions of a call that are open and whose time is not over. */
  const withdraw = (call: MemoryCall, time: number, kind?: QuestionKind): void => {
    for (const question of call.questions.values()) {
      if (question.state !== 'open' || isOver(question, time) || (kind !== undefined && kind !== question.kind)) continue;
      question.state = 'withdrawn';
      question.decidedAt = time;
    }
  };

  /** Ends a call, or replaces the guess how it ended. */
  const finish = (call: MemoryCall, end: CallEnd, { values, parts }: KeptEnd, time: number): void => {
    const tenant = tenantOf(call.tenant);
    resize(call, grownBy(call, values));
    Object.assign(call, values, { parts, guessAbout: end.guessAbout, endedAt: time, wokenAt: undefined });
    if (!end.keepsSteps) dropSteps(call);
    withdraw(call, time);
    moveTo(call, 'ended');
    touch(call, time);
    if (end.keyCountsMs === undefined) return;
    if (end.keyCountsMs <= 0) freeKey(tenant, call);
    else call.keyUntil = toWindowEnd(time, end.keyCountsMs);
  };

  const takeFor = (call: MemoryCall, process: string | undefined, time: number): TakenCall => {
    const wasDead = call.stage === 'running' && process !== undefined;
    call.process = process;
    call.epoch += 1;
    call.runSince = time;
    call.wakeAt = undefined;
    call.wokenAt = undefined;
    moveTo(call, 'running');
    touch(call, time);
    return {
      ...stored(call, time),
      wasDead,
      ...(call.args !== undefined && { args: JSON.parse(call.args) }),
      steps: [...call.steps.values()].map((step) => toStoredStep(step, time)),
    };
  };

  /** Since when a call may be taken by a worker that lives: when its time comes, or when its process counts as dead. */
  const dueSince = ({ stage, process, isPromised, dueAt }: MemoryCall, asker: string): number => {
    if (process === undefined) return Number.POSITIVE_INFINITY;
    if (stage === 'waiting') return dueAt;
    return isPromised && process !== asker ? aliveUntil(process) : Number.POSITIVE_INFINITY;
  };

  const putStep = (call: MemoryCall, step: MemoryStep, time: number): void => {
    const before = call.steps.get(step.id);
    const size = sizeOfStep(step) - (before === undefined ? 0 : sizeOfStep(before));
    reserve(before === undefined ? 1 : 0, size, time);
    if (before === undefined) records += 1;
    call.steps.set(step.id, step);
    resize(call, size);
  };

  /** Lets a call go on with the steps and the answered inputs of another. */
  const inherit = (call: MemoryCall, from: MemoryCall, time: number): void => {
    const tenant = tenantOf(call.tenant);
    let size = 0;
    for (const step of from.steps.values()) {
      size += sizeOfStep(step);
      call.steps.set(step.id, { ...step, epoch: 0 });
    }
    from.steps = new Map();
    for (const question of from.questions.values()) {
      if (question.kind !== 'input' || question.state !== 'answered') continue;
      size += sizeOfQuestion(question);
      from.questions.delete(question.id);
      call.questions.set(question.id, question);
      question.call = call;
    }
    resize(from, -size);
    resize(call, size);
    freeKey(tenant, from);
    from.replacedBy = call.id;
    touch(from, time);
  };

  const calls: Ledger = {
    async begin(given) {
      const { tenant: name, id, tool, process, isPromised, key, origin, instead, wait, keepMs, grants: usable } = given;
      const kept = keepBeginning(given);
      const keptWait = wait && keepWait(wait);
      const time = enter();
      if (find(given, time) !== undefined) return { is: 'refused' };
      const holder = key && findByKey(tenants.get(name), key.text, time);
      if (holder !== undefined && !(holder.id === instead?.id && name === instead.tenant))
        return { is: 'found', call: stored(holder, time) };
      const from = instead && (instead.tenant === name ? find(instead, time) : undefined);
      if (instead !== undefined) {
        if (from === undefined) return { is: 'refused' };
        if (from.stage !== 'ended' || from.epoch !== instead.epoch || from.replacedBy !== undefined)
          return { is: 'found', call: stored(from, time) };
      }
      if (wait?.mostWaiting !== undefined && (tenants.get(name)?.waiting ?? 0) >= wait.mostWaiting) return { is: 'full' };
      const grant = usable && grants.firstActive(name, usable, time);
      if (usable !== undefined && grant === undefined) return { is: 'ungranted' };
      const size = 2 * id.length + sizeOfNames(given) + kept.start.length + kept.listed.length + (kept.args?.length ?? 0);
      const room = size + (key?.text.length ?? 0) + (wait && keptWait ? roomToWait(kept, wait, keptWait) : 0);
      reserve(1 + (wait?.questions.length ?? 0), room, time);
      seq += 1;
      const call: MemoryCall = {
        tenant: name,
        id,
        seq,
        tool,
        isPromised,
        origin,
        by: toListedBy(given.by),
        start: kept.start,
        keepMs: Math.min(keepMs, retentionMs),
        begunAt: time,
        process,
        stage: 'ended',
        epoch: 1,
        parts: kept.parts,
        listed: kept.listed,
        args: kept.args,
        outcome: undefined,
        trace: undefined,
        progress: undefined,
        key: undefined,
        keyUntil: time,
        handle: id,
        isCancelled: false,
        cancelledBy: undefined,
        remainingMs: undefined,
        guessAbout: undefined,
        replacedBy: undefined,
        grant,
        changes: 0,
        changedAt: time,
        keptUntil: time,
        endedAt: undefined,
        runSince: time,
        wakeAt: undefined,
        wokenAt: undefined,
        steps: new Map(),
        questions: new Map(),
        size: 0,
        dueAt: Number.POSITIVE_INFINITY,
      };
      const tenant = tenantOf(name);
      tenant.calls.set(id, call);
      records += 1;
      resize(call, size);
      if (from !== undefined) inherit(call, from, time);
      if (key !== undefined) giveKey(call, key, time);
      if (wait !== undefined && keptWait !== undefined) {
        letWait(call, wait, keptWait, time);
      } else {
        moveTo(call, 'running');
        touch(call, time);
      }
      if (grant !== undefined) grants.use(name, grant, time);
      return { is: 'begun', epoch: call.epoch, ...(grant !== undefined && { grant }) };
    },

    async take(at, { epoch, process, from, grants: usable }) {
      const time = enter();
      const call = find(at, time);
      const isThere = call !== undefined && call.epoch === epoch && canBeTaken[from](call, time, process);
      const grant = usable && grants.firstActive(at.tenant, usable, time);
      if (isThere && usable !== undefined && grant !== undefined) {
        grants.use(at.tenant, grant, time);
        call.grant = grant;
        withdraw(call, time, 'approval');
      }
      if (!isThere || (usable !== undefined && grant === undefined)) return { is: 'lost', call: call && stored(call, time) };
      return { is: 'taken', call: takeFor(call, process, time) };
    },

    async takeDue({ process, tools, limit, graceMs = 0 }) {
      const time = enter();
      const due: { readonly call: MemoryCall; readonly since: number }[] = [];
      for (const call of live) {
        const since = tools.includes(call.tool) ? dueSince(call, process) : Number.POSITIVE_INFINITY;
        if (since + (call.stage === 'waiting' ? graceMs : 0) <= time) due.push({ call, since });
      }
      return due
        .sort((one, other) => one.since - other.since)
        .slice(0, Math.max(0, Math.floor(limit)))
        .map(({ call }) => takeFor(call, process, time));
    },

    async stepBegin(run, { id, name, attempt }) {
      return changeRun(run, (call, time) => {
        putStep(call, { id, name, attempt, epoch: run.epoch, isOpen: true, record: undefined, sleepsUntil: undefined }, time);
        return written;
      });
    },

    async stepEnd(run, { id, name, attempt, record, sleepMs }) {
      const kept = record === undefined ? undefined : encodeValue(record);
      return changeRun(run, (call, time) => {
        const sleepsUntil = sleepMs === undefined ? undefined : toWindowEnd(time, sleepMs);
        putStep(call, { id, name, attempt, epoch: run.epoch, isOpen: false, record: kept, sleepsUntil }, time);
        return written;
      });
    },

    async wait(run, wait) {
      const kept = keepWait(wait);
      return changeRun(run, (call, time) => {
        if (call.isCancelled) return { is: 'cancelled' };
        const { mostWaiting = Number.POSITIVE_INFINITY, questions } = wait;
        if (call.stage !== 'waiting' && tenantOf(call.tenant).waiting >= mostWaiting) return { is: 'full' };
        reserve(questions.length, roomToWait(call, wait, kept), time);
        letWait(call, wait, kept, time);
        return written;
      });
    },

    async answer({ tenant: name, handle }, { state, answer, wakes, end, grant }) {
      const kept = encodeValue(answer);
      const keptGrant = grant && grants.keep(grant);
      const keptEnd = end && keepEnd(end);
      const time = enter();
      const question = findQuestion(tenants.get(name), handle, time);
      if (question === undefined) return { is: 'unknown' };
      if (question.state !== 'open') return { is: 'decided', question: toStoredQuestion(question) };
      if (isOver(question, time)) return { is: 'expired', question: toStoredQuestion(question) };
      const { call } = question;
      if (end !== undefined && (call.stage !== 'waiting' || call.epoch !== end.epoch)) return { is: 'changed' };
      reserve(keptGrant ? 1 : 0, kept.length + (keptGrant?.size ?? 0) + (keptEnd ? grownBy(call, keptEnd.values) : 0), time);
      if (keptGrant !== undefined) grants.give(name, keptGrant, time);
      resize(call, kept.length);
      question.state = state;
      question.decidedAt = time;
      question.answer = kept;
      if (end !== undefined && keptEnd !== undefined) {
        finish(call, end, keptEnd, time);
      } else {
        if (wakes) wake(call, time);
        touch(call, time);
      }
      return { is: 'answered', question: toStoredQuestion(question), call: toCallState(call, time, isAlive) };
    },

    async end(run, end) {
      const kept = keepEnd(end);
      const time = enter();
      const call = find(run, time);
      const replaces = call?.stage === 'ended' && call.guessAbout === run.epoch && end.guessAbout === undefined;
      if (call === undefined || (ofRun(call, run) === undefined && !replaces)) return lost(call, time);
      reserve(0, grownBy(call, kept.values), time);
      if (replaces) call.epoch += 1;
      finish(call, end, kept, time);
      return { is: 'written' };
    },

    async cancel(at, { by, end }) {
      const kept = end && keepEnd(end);
      const time = enter();
      const call = find(at, time);
      if (call === undefined) return { is: 'unknown' };
      if (call.stage === 'ended') return { is: 'over', call: stored(call, time) };
      const ends = end !== undefined && call.stage === 'waiting' && call.epoch === end.epoch;
      if (call.isCancelled && !ends) return { is: 'asked', call: stored(call, time) };
      reserve(0, kept && ends ? grownBy(call, kept.values) : 0, time);
      if (!call.isCancelled) call.cancelledBy = by;
      call.isCancelled = true;
      if (ends && kept !== undefined) {
        finish(call, end, kept, time);
        return { is: 'ended', call: stored(call, time) };
      }
      if (call.stage === 'waiting') wake(call, time);
      touch(call, time);
      return { is: 'asked', call: stored(call, time) };
    },

    async note(run, { progress, joinKey }) {
      const values: NewValues = progress === undefined ? {} : { progress: encodeValue(progress) };
      return changeRun(run, (call, time) => {
        const size = grownBy(call, values);
        reserve(0, size + (joinKey?.text.length ?? 0), time);
        resize(call, size);
        Object.assign(call, values);
        if (joinKey !== undefined && call.key === undefined) giveKey(call, joinKey, time);
        touch(call, time);
        return written;
      });
    },

    async heartbeat({ process: name, leaseMs, ranMs }) {
      const time = enter();
      processes.set(name, toWindowEnd(time, leaseMs));
      const { farthest, until } = leaseBounds(time, leaseMs);
      for (const [other, aliveUntil] of processes) if (other !== name && aliveUntil > farthest) processes.set(other, until);
      const own = [];
      for (const call of live) {
        const { tenant, id, epoch, stage, process, isCancelled, runSince } = call;
        if (process !== name || stage !== 'running' || isForgotten(call, time)) continue;
        if (isCancelled || time - runSince >= ranMs) own.push({ tenant, id, epoch, isCancelled });
      }
      return own;
    },

    async get(tenant, handle) {
      const time = enter();
      const entry = tenants.get(tenant);
      const call = findByHandle(entry, handle, time) ?? findAsked(entry, handle, time)?.call;
      return call && stored(call, time);
    },

    async findByKey(tenant, key) {
      const time = enter();
      const call = findByKey(tenants.get(tenant), key, time);
      return call && stored(call, time);
    },

    async isAlive(process) {
      return isAlive(process, enter());
    },

    async look(places) {
      const time = enter();
      return places.flatMap((at) => {
        const call = find(at, time);
        return call === undefined ? [] : [toCallState(call, time, isAlive)];
      });
    },

    async args(at) {
      const kept = find(at, enter())?.args;
      return kept === undefined ? undefined : JSON.parse(kept);
    },

    async steps(at) {
      const time = enter();
      return [...(find(at, time)?.steps.values() ?? [])].map((step) => toStoredStep(step, time));
    },

    async list(query) {
      const time = enter();
      const { tenant, tool, status, kind, runId, sessionId, callerKey, replayOf } = query;
      const { since, before } = toSpan(query);
      const limit = toRowLimit(query.limit);
      const isAsked = (call: MemoryCall): boolean => {
        const { by, parts } = call;
        return (
          by.begunAt >= since &&
          (by.begunAt < before.at || (by.begunAt === before.at && call.seq < before.seq)) &&
          (tool === undefined || tool.includes(call.tool)) &&
          (status === undefined || status.includes(parts.status)) &&
          (kind === undefined || (parts.kind !== undefined && kind.includes(parts.kind))) &&
          (runId === undefined || runId === by.runId) &&
          (sessionId === undefined || sessionId === by.sessionId) &&
          (callerKey === undefined || callerKey === by.callerKey) &&
          (replayOf === undefined || replayOf === parts.replayOf) &&
          !isForgotten(call, time)
        );
      };
      const found = [...(tenants.get(tenant)?.calls.values() ?? [])].filter(isAsked).sort(newestFirst);
      const rows = found.slice(0, limit).map((call) => ({
        ...toCallState(call, time, isAlive),
        listed: JSON.parse(call.listed) as NewCall['listed'],
        ...(call.progress !== undefined && { progress: JSON.parse(call.progress) as NewCall['start'] }),
        cursor: toCursor({ at: call.by.begunAt, seq: call.seq }),
      }));
      const last = rows.at(-1);
      return { rows, ...(last !== undefined && found.length > rows.length && { next: last.cursor }) };
    },

    async grants(query) {
      return grants.list(query, enter());
    },

    async revoke(at, { by }) {
      return grants.revoke(at, by, enter());
    },

    async questions({ tenant: name, kind, limit, after }) {
      const time = enter();
      const tenant = tenants.get(name);
      const reached = after === undefined ? 0 : findAsked(tenant, after, time)?.seq;
      if (tenant === undefined || reached === undefined) return [];
      return [...live]
        .flatMap((call) => (call.tenant === name && !isForgotten(call, time) ? [...call.questions.values()] : []))
        .filter((question) => question.kind === kind && question.state === 'open' && question.seq > reached && !isOver(question, time))
        .sort((one, other) => one.seq - other.seq)
        .slice(0, toRowLimit(limit))
        .map(toStoredQuestion);
    },

    async takeNotices({ to, limit, leaseMs }) {
      const time = enter();
      const own = [...(notices.get(to) ?? [])].filter(({ question }) => !isForgotten(question.call, time));
      const due = own
        .filter((notice) => isDueNotice(notice, time))
        .sort((one, other) => one.dueAt - other.dueAt)
        .slice(0, toRowLimit(limit));
      for (const notice of due) {
        notice.attempts += 1;
        notice.dueAt = toWindowEnd(time, leaseMs);
      }
      return {
        notices: due.map((notice) => ({ ...toNoticePlace(notice), question: toStoredQuestion(notice.question) })),
        areLeft: own.length > due.length,
      };
    },

    async settleNotice({ tenant, handle, to, event, attempt }, { againMs }) {
      const time = enter();
      const notice = findAsked(tenants.get(tenant), handle, time)?.notices.find((each) => each.to === to);
      if (notice?.event !== event || notice.attempts !== attempt) return false;
      notice.dueAt = toWindowEnd(time, againMs ?? 0);
      if (againMs !== undefined) return true;
      notice.event = event === 'asked' ? 'closed' : undefined;
      notice.attempts = 0;
      if (event === 'closed') notices.get(to)?.delete(notice);
      return true;
    },

    watch(listener) {
      const own = (at: CallPlace | undefined): void => listener(at);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
  };

  const findQuestion = (tenant: Tenant | undefined, handle: string, time: number): MemoryQuestion | undefined => {
    const named = findAsked(tenant, handle, time);
    if (named !== undefined) return named;
    const asked = [...(findByHandle(tenant, handle, time)?.questions.values() ?? [])];
    const open = asked.filter(({ state }) => state === 'open');
    return open.length > 1 ? undefined : (open[0] ?? asked.at(-1));
  };

  return {
    calls,
    records: () => records + grants.records(),
    characters: () => characters + grants.characters(),
    earliest: () => Math.min(earliest, grants.earliest()),
    sweep(time) {
      const before = records;
      const forgotten = grants.sweep(time);
      earliest = Number.POSITIVE_INFINITY;
      for (const tenant of tenants.values()) {
        for (const call of tenant.calls.values()) {
          if (isForgotten(call, time)) forget(call);
          else if (call.stage === 'ended' || (call.stage === 'running' && !call.isPromised)) earliest = Math.min(earliest, call.keptUntil);
        }
      }
      const running = new Set([...live].map(({ stage, process }) => (stage === 'running' ? process : undefined)));
      for (const name of [...processes.keys()]) if (!isAlive(name, time) && !running.has(name)) processes.delete(name);
      return before - records + forgotten;
    },
    clear() {
      tenants.clear();
      grants.clear();
      notices.clear();
      processes.clear();
      live.clear();
      listeners.clear();
    },
  };
}

const written: Written = { is: 'written' };

function keepBeginning({ listed, start, args }: NewCall): {
  readonly listed: string;
  readonly parts: ListedParts;
  readonly start: string;
  readonly args: string | undefined;
} {
  return {
    listed: encodeValue(listed),
    parts: toListedParts(listed),
    start: encodeValue(start),
    args: args === undefined ? undefined : encodeValue(args),
  };
}

function keepWait({ outcome, listed, questions }: Wait): KeptWait {
  return {
    values: { outcome: encodeValue(outcome), listed: encodeValue(listed) },
    parts: toListedParts(listed),
    asks: questions.map(({ ask }) => encodeValue(ask)),
  };
}

function keepEnd({ outcome, listed, trace, keepsSteps }: CallEnd): KeptEnd {
  return {
    values: {
      outcome: encodeValue(outcome),
      listed: encodeValue(listed),
      trace: trace === undefined ? undefined : encodeValue(trace),
      ...(!keepsSteps && { args: undefined }),
    },
    parts: toListedParts(listed),
  };
}

function sizeOfNames({ tool, origin, process, by: { runId, sessionId, callerKey } }: NewCall): number {
  let size = 0;
  for (const name of [tool, origin, process, runId, sessionId, callerKey]) size += name?.length ?? 0;
  return size;
}

function newestFirst(one: MemoryCall, other: MemoryCall): number {
  return one.by.begunAt === other.by.begunAt ? other.seq - one.seq : other.by.begunAt - one.by.begunAt;
}
