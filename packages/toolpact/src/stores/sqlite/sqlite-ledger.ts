import type { DatabaseSync } from 'node:sqlite';
import type { JsonValue } from '../../outcome/index.ts';
import type {
  CallEnd,
  CallKey,
  CallPlace,
  Ledger,
  ListedCall,
  NewCall,
  NewGrant,
  QuestionPlace,
  RunPlace,
  StoredCall,
  StoredGrant,
  StoredQuestion,
  TakenCall,
  Wait,
  Written,
} from '../../ports/index.ts';
import { leaseBounds, toWindowEnd } from '../retention.ts';
import { toRowLimit } from '../row-limits.ts';
import { decodeText, encodeText, encodeValue } from '../stored-text.ts';
import { createChangeHints } from './change-hints.ts';
import { listCalls } from './ledger-list.ts';
import {
  type CallRow,
  type GrantRow,
  hasKey,
  ifReadable,
  isExpired,
  isForgotten,
  type NoticeRow,
  type QuestionRow,
  type StateRow,
  type StepRow,
  toArgs,
  toCallState,
  toStoredCall,
  toStoredGrant,
  toStoredQuestion,
  toStoredStep,
} from './ledger-rows.ts';
import type { LedgerStatements } from './ledger-statements.ts';

/** The part of its store that a file's ledger needs. */
export interface SqliteLedgerOptions {
  readonly db: DatabaseSync;
  readonly sql: LedgerStatements;
  /** Runs a write in the next transaction. */
  readonly write: <T>(run: () => T) => Promise<T>;
  /** Runs a read once no other connection is in its way. */
  readonly read: <T>(run: () => T) => Promise<T>;
  /** Runs a read, unless another connection is in its way. */
  readonly peek: <T>(run: () => T) => T | undefined;
  readonly now: () => number;
  readonly retentionMs: number;
}

/** A ledger of calls in a file. */
export interface SqliteLedger {
  readonly calls: Ledger;
  readonly close: () => void;
}

/** Runs something inside a transaction, and notes the calls that it changes. */
type Change<T> = (time: number, changed: (at: CallPlace) => void) => T;

const pageSize = 50;

/** Creates the ledger of calls of a file. docs/tables.md says what its tables hold. */
export function createSqliteLedger({ db, sql, write, read, peek, now, retentionMs }: SqliteLedgerOptions): SqliteLedger {
  const hints = createChangeHints(() => sql.fileVersion.get()?.data_version);
  const [save, release, rollBack] = [db.prepare('SAVEPOINT one'), db.prepare('RELEASE one'), db.prepare('ROLLBACK TO one')];
  const [begin, commit] = [db.prepare('BEGIN'), db.prepare('COMMIT')];

  /** Does all of something or nothing, within a transaction that goes on. */
  const atomic = <T>(run: () => T): T => {
    save.run();
    try {
      const result = run();
      release.run();
      return result;
    } catch (error) {
      // Some failures have ended the whole transaction.
      if (db.isTransaction) {
        rollBack.run();
        release.run();
      }
      throw error;
    }
  };
  const change = async <T>(run: Change<T>): Promise<T> => {
    let places: CallPlace[] = [];
    const result = await write(() => {
      places = [];
      return atomic(() => run(now(), ({ tenant, id }) => places.push({ tenant, id })));
    });
    hints.tell(places);
    return result;
  };
  /** Reads several things as they stand at one moment. */
  const snapshot = <T>(run: (time: number) => T): Promise<T> => read(() => inSnapshot(run));
  const inSnapshot = <T>(run: (time: number) => T): T => {
    begin.run();
    try {
      return run(now());
    } finally {
      if (db.isTransaction) commit.run();
    }
  };

  const ifKept = <TRow extends StateRow>(row: TRow | undefined, time: number): TRow | undefined =>
    row === undefined || isForgotten(row, time) ? undefined : row;
  const find = ({ tenant, id }: CallPlace, time: number): CallRow | undefined =>
    ifKept(sql.callOf.get(encodeText(tenant), encodeText(id)) as CallRow | undefined, time);
  const findState = ({ tenant, id }: CallPlace, time: number): StateRow | undefined =>
    ifKept(sql.stateOf.get(encodeText(tenant), encodeText(id)) as StateRow | undefined, time);
  const findByHandle = (tenant: string, handle: string, time: number): CallRow | undefined => {
    const at = [encodeText(tenant), encodeText(handle)] as const;
    return find({ tenant, id: handle }, time) ?? ifKept(sql.callOfHandle.get(...at) as CallRow | undefined, time);
  };
  const holderOf = (tenant: string, key: string, time: number): CallRow | undefined => {
    const row = ifKept(sql.callOfKey.get(encodeText(tenant), encodeText(key)) as CallRow | undefined, time);
    return row !== undefined && hasKey(row, time) ? row : undefined;
  };
  const questionsAt = (seq: number): readonly QuestionRow[] => sql.questionsAt.all(seq) as unknown as readonly QuestionRow[];
  const stepsAt = (row: StateRow, time: number) =>
    (sql.stepsAt.all(row.seq) as unknown as readonly StepRow[]).map((step) => toStoredStep(row, step, time));
  const argsAt = (row: StateRow): JsonValue | undefined => {
    const args = sql.argsAt.get(row.seq)?.args as string | null;
    return args === null ? undefined : toArgs(row, args);
  };
  const stored = (row: CallRow, time: number): StoredCall => toStoredCall(row, questionsAt(row.seq), time);
  const lost = (at: CallPlace, time: number): Written & { readonly is: 'lost' } => {
    const row = find(at, time);
    return { is: 'lost', call: row && stored(row, time) };
  };

  /** Takes a key from a call that has it no more, though it is still stored with it; checks whether the key is free then. */
  const isFree = (tenant: string, key: string, time: number): boolean => {
    const row = sql.callOfKey.get(encodeText(tenant), encodeText(key)) as CallRow | undefined;
    if (row === undefined) return true;
    if (isForgotten(row, time)) sql.deleteCall.run(row.seq);
    else if (hasKey(row, time)) return false;
    else sql.freeKey.run(row.seq);
    return true;
  };
  /** Gives a key to a call, unless another one has it. */
  const giveKey = (seq: number, tenant: string, { text, countsMs }: CallKey, time: number): void => {
    if (isFree(tenant, text, time)) sql.giveKey.run({ seq, now: time, key: encodeText(text), keyCountsMs: countsMs });
  };
  const isFull = (tenant: string, most: number | undefined): boolean =>
    most !== undefined && Number(sql.countWaiting.get(encodeText(tenant), Math.max(0, most))?.count) >= most;

  const grantOf = ({ tenant, id }: CallPlace, time: number): GrantRow | undefined =>
    sql.grantOf.get({ tenant: encodeText(tenant), id: encodeText(id), now: time }) as GrantRow | undefined;
  /** Returns the first of these grants that counts. */
  const firstActive = (tenant: string, ids: readonly string[], time: number): string | undefined =>
    ids.find((id) => grantOf({ tenant, id }, time)?.active === 1);
  const useGrant = (tenant: string, id: string, time: number): void => {
    sql.useGrant.run({ tenant: encodeText(tenant), id: encodeText(id), now: time });
  };
  const giveGrant = (tenant: string, { id, tool, scope, permit, expiresMs, mostUses, keepMs }: NewGrant, time: number): void => {
    const expiresAt = toWindowEnd(time, expiresMs);
    sql.giveGrant.run({
      tenant: encodeText(tenant),
      id: encodeText(id),
      tool: encodeText(tool),
      scope: encodeText(scope),
      now: time,
      expiresAt,
      keptUntil: toWindowEnd(expiresAt, keepMs),
      mostUses: mostUses ?? null,
      permit: encodeValue(permit),
    });
  };

  /** Looks at what is in the way of a call that begins, and clears away what only lies there still. */
  const findObstacle = ({ call }: Draft, time: number): Exclude<Awaited<ReturnType<Ledger['begin']>>, { is: 'begun' }> | undefined => {
    const { tenant, key, instead, wait } = call;
    const same = sql.stateOf.get(encodeText(tenant), encodeText(call.id)) as StateRow | undefined;
    if (ifKept(same, time) !== undefined) return { is: 'refused' };
    if (same !== undefined) sql.deleteCall.run(same.seq);
    const holder = key && holderOf(tenant, key.text, time);
    const isReplaced = holder !== undefined && instead?.tenant === tenant && decodeText(holder.id) === instead.id;
    if (holder !== undefined && !isReplaced) return { is: 'found', call: stored(holder, time) };
    if (instead !== undefined) {
      const from = instead.tenant === tenant ? find(instead, time) : undefined;
      if (from === undefined) return { is: 'refused' };
      if (from.stage !== 'ended' || from.epoch !== instead.epoch || from.replaced_by !== null)
        return { is: 'found', call: stored(from, time) };
    }
    return isFull(tenant, wait?.mostWaiting) ? { is: 'full' } : undefined;
  };

  /** Lets a call go on with what another one has. */
  const inherit = (seq: number, from: StateRow): void => {
    sql.inheritSteps.run(seq, from.seq);
    sql.inheritQuestions.run(seq, from.seq);
  };

  /** Lets a call wait that may: that is looked at before. */
  const letWait = (run: RunPlace, wait: Wait, draft: WaitDraft, time: number): void => {
    const { wakeMs, remainingMs, handle, joinKey, questions, notify = [] } = wait;
    const row = sql.wait.get({
      ...toPlace(run),
      epoch: run.epoch,
      now: time,
      ...draft.values,
      wakeAt: wakeMs === undefined ? null : toWindowEnd(time, wakeMs),
      remainingMs: remainingMs ?? null,
      handle: encodeOptional(handle),
    }) as { readonly seq: number; readonly key: string | null };
    if (joinKey !== undefined && row.key === null) giveKey(row.seq, run.tenant, joinKey, time);
    for (const [index, { handle, kind, id, expiresMs }] of questions.entries()) {
      const { changes, lastInsertRowid } = sql.ask.run({
        call: row.seq,
        tenant: encodeText(run.tenant),
        handle: encodeText(handle),
        id: encodeText(id),
        kind,
        now: time,
        expiresAt: expiresMs === undefined ? null : toWindowEnd(time, expiresMs),
        ask: draft.asks[index] as string,
      });
      if (changes === 1 && notify.length > 0)
        sql.notify.run({ question: lastInsertRowid, recipients: JSON.stringify(notify.map(encodeText)), now: time });
    }
  };

  /** Ends a call; gives whether this run may. */
  const finish = (run: RunPlace, values: EndValues, time: number): boolean => {
    const row = sql.end.get({ ...toPlace(run), epoch: run.epoch, now: time, ...values });
    if (row === undefined) return false;
    const seq = Number(row.seq);
    if (values.keepsSteps === 0) sql.dropSteps.run(seq);
    sql.withdraw.run({ call: seq, now: time });
    return true;
  };

  /** Reads a call that has just been taken. */
  const takenAt = (seq: number, wasDead: boolean, time: number): TakenCall => {
    const row = sql.callAt.get(seq) as unknown as CallRow;
    const args = argsAt(row);
    return { ...stored(row, time), wasDead, ...(args !== undefined && { args }), steps: stepsAt(row, time) };
  };

  /** Finds the calls of a tool that wait and are due, those that have been for longest first. */
  function* dueOf(tool: string, until: number): Generator<Due> {
    let [at, seq] = [-Number.MAX_VALUE, 0];
    for (;;) {
      const page = sql.due.all(tool, at, seq, until, pageSize) as unknown as readonly { readonly seq: number; readonly due_at: number }[];
      for (const row of page) yield { seq: row.seq, since: row.due_at, wasDead: false };
      if (page.length < pageSize) return;
      ({ seq, due_at: at } = page.at(-1) as (typeof page)[number]);
    }
  }

  /** Finds the promised calls of dead processes, those of whom nothing was heard for longest first. Whoever asks lives. */
  function* deadOf(asker: string, tools: readonly string[], time: number): Generator<Due> {
    const owners = sql.deadProcesses.all({
      asker: encodeText(asker),
      tools: JSON.stringify(tools),
      now: time,
    }) as unknown as readonly DeadProcess[];
    for (const { tool, process, since } of owners) {
      let seq = 0;
      for (;;) {
        const page = sql.dead.all(tool, process, seq, pageSize) as unknown as readonly { readonly seq: number }[];
        for (const row of page) yield { seq: row.seq, since, wasDead: true };
        if (page.length < pageSize) break;
        seq = page.at(-1)?.seq ?? seq;
      }
    }
  }

  const takeDueNow = ({ process, tools, limit, graceMs = 0 }: Parameters<Ledger['takeDue']>[0], time: number): TakenCall[] => {
    const asked = [...new Set(tools)].map(encodeText);
    const waiting = asked.map((tool) => dueOf(tool, time - graceMs));
    const heads = [deadOf(process, asked, time), ...waiting].map((rest) => ({ rest, next: rest.next() }));
    const taken: TakenCall[] = [];
    const earliest = () => {
      let first: { readonly rest: Generator<Due>; next: IteratorResult<Due> } | undefined;
      for (const head of heads)
        if (head.next.done !== true && (first === undefined || head.next.value.since < (first.next.value as Due).since)) first = head;
      return first;
    };
    while (taken.length < Math.floor(limit)) {
      const head = earliest();
      if (head === undefined) break;
      const { seq, wasDead } = head.next.value as Due;
      // The page that the next one comes from has been read already, or begins behind this one.
      head.next = head.rest.next();
      const call = ifReadable(() =>
        atomic(() => {
          sql.takeAt.run({ seq, process: encodeText(process), now: time });
          return takenAt(seq, wasDead, time);
        }),
      );
      // One that cannot be read stays where it is; whoever asks for it by name hears why.
      if (call !== undefined) taken.push(call);
    }
    return taken;
  };

  const questionOf = (tenant: string, handle: string, time: number): QuestionRow | undefined =>
    sql.questionOf.get({ tenant: encodeText(tenant), handle: encodeText(handle), now: time }) as QuestionRow | undefined;
  /** Finds a question by its handle, or the only one that a call can mean. */
  const findQuestion = ({ tenant, handle }: QuestionPlace, time: number): QuestionRow | undefined => {
    const named = questionOf(tenant, handle, time);
    if (named !== undefined) return named;
    const call = findByHandle(tenant, handle, time);
    const asked = call === undefined ? [] : questionsAt(call.seq);
    const open = asked.filter(({ state }) => state === 'open');
    return open.length > 1 ? undefined : (open[0] ?? asked.at(-1));
  };

  const writeStep = (run: RunPlace, step: StepDraft): Promise<Written> => {
    const { id, name, attempt, record, sleepMs, isOpen } = step;
    const values = { step: encodeText(id), name: encodeText(name), attempt, open: isOpen ? 1 : 0, record };
    return change((time) => {
      const sleepsUntil = sleepMs === undefined ? null : toWindowEnd(time, sleepMs);
      const { changes } = sql.writeStep.run({ ...toPlace(run), epoch: run.epoch, now: time, ...values, sleepsUntil });
      return changes === 1 ? { is: 'written' } : lost(run, time);
    });
  };

  const calls: Ledger = {
    async begin(call) {
      const draft = toDraft(call, retentionMs);
      const { tenant, id, key, instead, wait, grants } = call;
      const held =
        key === undefined || instead !== undefined
          ? undefined
          : peek(() =>
              inSnapshot((time) => {
                const holder = findState(call, time) === undefined ? holderOf(tenant, key.text, time) : undefined;
                return holder && stored(holder, time);
              }),
            );
      if (held !== undefined) return { is: 'found', call: held };
      return change((time, changed) => {
        const mayJustBegin = instead === undefined && wait?.mostWaiting === undefined && grants === undefined;
        let grant: string | undefined;
        let written = mayJustBegin ? sql.insertCall.run({ ...draft.values, now: time }) : undefined;
        if (written?.changes !== 1) {
          const obstacle = findObstacle(draft, time);
          if (obstacle !== undefined) return obstacle;
          grant = grants && firstActive(tenant, grants, time);
          if (grants !== undefined && grant === undefined) return { is: 'ungranted' };
          if (grant !== undefined) useGrant(tenant, grant, time);
          const from = instead && findState(instead, time);
          if (from !== undefined) {
            sql.replace.run({ seq: from.seq, by: encodeText(id), now: time });
            changed(instead as RunPlace);
          }
          if (key !== undefined) isFree(tenant, key.text, time);
          written = sql.insertCall.run({ ...draft.values, grant: encodeOptional(grant), now: time });
          if (from !== undefined) inherit(Number(written.lastInsertRowid), from);
        }
        if (wait !== undefined && draft.wait !== undefined) letWait({ tenant, id, epoch: 1 }, wait, draft.wait, time);
        changed(call);
        return { is: 'begun', epoch: 1, ...(grant !== undefined && { grant }) };
      });
    },

    take: (at, { epoch, process, from, grants }) =>
      change((time, changed) => {
        const grant = grants && firstActive(at.tenant, grants, time);
        if (grants !== undefined && grant === undefined) return lost(at, time);
        const row = sql.take.get({
          ...toPlace(at),
          seen: epoch,
          process: encodeText(process),
          from,
          now: time,
        });
        if (row === undefined) return lost(at, time);
        if (grant !== undefined) {
          useGrant(at.tenant, grant, time);
          sql.runUnder.run({ seq: row.seq as number, grant: encodeText(grant) });
          sql.withdrawApproval.run({ call: row.seq as number, now: time });
        }
        changed(at);
        return { is: 'taken', call: takenAt(Number(row.seq), from === 'dead', time) };
      }),

    takeDue: (asked) =>
      change((time, changed) => {
        const taken = takeDueNow(asked, time);
        for (const call of taken) changed(call);
        return taken;
      }),

    stepBegin: async (run, step) => writeStep(run, { ...step, isOpen: true, record: null }),

    stepEnd: async (run, step) =>
      writeStep(run, { ...step, isOpen: false, record: step.record === undefined ? null : encodeValue(step.record) }),

    async wait(run, wait) {
      const draft = toWaitDraft(wait);
      return change((time, changed) => {
        const state = findState(run, time);
        if (state === undefined || state.epoch !== run.epoch || state.stage === 'ended') return lost(run, time);
        if (state.cancelled === 1) return { is: 'cancelled' };
        if (state.stage !== 'waiting' && isFull(run.tenant, wait.mostWaiting)) return { is: 'full' };
        letWait(run, wait, draft, time);
        changed(run);
        return { is: 'written' };
      });
    },

    async answer(at, { state, answer, wakes, end, grant }) {
      const [text, values] = [encodeValue(answer), end && toEndValues(end)];
      return change((time, changed) => {
        const row = findQuestion(at, time);
        if (row === undefined) return { is: 'unknown' };
        if (row.state !== 'open') return { is: 'decided', question: toStoredQuestion(row) };
        if (isExpired(row, time)) return { is: 'expired', question: toStoredQuestion(row) };
        const place = { tenant: at.tenant, id: decodeText(row.call) };
        const call = findState(place, time) as StateRow;
        if (end !== undefined && (call.stage !== 'waiting' || call.epoch !== end.epoch)) return { is: 'changed' };
        sql.decide.run(state, time, text, row.seq);
        if (grant !== undefined) giveGrant(at.tenant, grant, time);
        if (end !== undefined && values !== undefined) finish({ ...place, epoch: end.epoch }, values, time);
        else sql[wakes ? 'wake' : 'touch'].run({ seq: call.seq, now: time });
        changed(place);
        const question = toStoredQuestion(questionsAt(call.seq).find(({ seq }) => seq === row.seq) as QuestionRow);
        return { is: 'answered', question, call: toCallState(sql.callAt.get(call.seq) as unknown as CallRow, time) };
      });
    },

    async end(run, end) {
      const values = toEndValues(end);
      return change((time, changed) => {
        if (!finish(run, values, time)) return lost(run, time);
        changed(run);
        return { is: 'written' };
      });
    },

    async cancel(at, { by, end }) {
      const values = end && toEndValues(end);
      return change((time, changed) => {
        const row = find(at, time);
        if (row === undefined) return { is: 'unknown' };
        if (row.stage === 'ended') return { is: 'over', call: stored(row, time) };
        const ends = end !== undefined && row.stage === 'waiting' && row.epoch === end.epoch;
        if (row.cancelled === 0) sql.cancel.run(encodeOptional(by), row.seq);
        if (ends && values !== undefined) finish({ ...at, epoch: end.epoch }, values, time);
        else if (row.cancelled === 0) sql[row.stage === 'waiting' ? 'wake' : 'touch'].run({ seq: row.seq, now: time });
        if (ends || row.cancelled === 0) changed(at);
        return { is: ends ? 'ended' : 'asked', call: stored(sql.callAt.get(row.seq) as unknown as CallRow, time) };
      });
    },

    async note(run, { progress, joinKey }) {
      const text = progress === undefined ? null : encodeValue(progress);
      return change((time, changed) => {
        const row = sql.note.get({ ...toPlace(run), epoch: run.epoch, progress: text, now: time });
        if (row === undefined) return lost(run, time);
        if (joinKey !== undefined && row.key === null) giveKey(Number(row.seq), run.tenant, joinKey, time);
        changed(run);
        return { is: 'written' };
      });
    },

    heartbeat: ({ process: name, leaseMs, ranMs }) =>
      change((time) => {
        const process = encodeText(name);
        sql.shortenLeases.run({ ...leaseBounds(time, leaseMs) });
        sql.beat.run(process, toWindowEnd(time, leaseMs));
        const rows = sql.ownCalls.all({ process, ranSince: time - ranMs, now: time }) as unknown as readonly StateRow[];
        return rows.map(({ tenant, id, epoch, cancelled }) => ({
          tenant: decodeText(tenant),
          id: decodeText(id),
          epoch,
          isCancelled: cancelled === 1,
        }));
      }),

    get: (tenant, handle) =>
      snapshot((time) => {
        const at = [encodeText(tenant), encodeText(handle)] as const;
        const row = findByHandle(tenant, handle, time) ?? ifKept(sql.callOfQuestion.get(...at) as CallRow | undefined, time);
        return row && stored(row, time);
      }),

    findByKey: (tenant, key) =>
      snapshot((time) => {
        const row = holderOf(tenant, key, time);
        return row && stored(row, time);
      }),

    isAlive: (process) => read(() => Number(sql.leaseOf.get(encodeText(process))?.lease_until ?? 0) > now()),

    look: (places) =>
      snapshot((time) =>
        places.flatMap((at) => {
          const row = findState(at, time);
          return row === undefined ? [] : [toCallState(row, time)];
        }),
      ),

    steps: (at) =>
      snapshot((time) => {
        const row = findState(at, time);
        return row === undefined ? [] : stepsAt(row, time);
      }),

    args: (at) =>
      snapshot((time) => {
        const row = findState(at, time);
        return row && argsAt(row);
      }),

    list: (query) => snapshot((time) => listCalls(sql, query, time)),

    grants: ({ tenant, tool, scopes, onlyActive = false, limit, after }) =>
      snapshot((time) => {
        const reached = after === undefined ? 0 : grantOf({ tenant, id: after }, time)?.seq;
        if (reached === undefined) return [];
        const asked = {
          tenant: encodeText(tenant),
          tool: encodeOptional(tool),
          scopes: scopes === undefined ? null : JSON.stringify(scopes.map(encodeText)),
          onlyActive: onlyActive ? 1 : 0,
          now: time,
        };
        const found = sql[tool !== undefined && scopes !== undefined ? 'grantsOf' : 'grantsOfTenant'];
        return readPage<GrantRow, StoredGrant>(toRowLimit(limit), reached, toStoredGrant, (place) => found.all({ ...asked, ...place }));
      }),

    revoke: (at, { by }) =>
      change((time) => {
        const place = { tenant: encodeText(at.tenant), id: encodeText(at.id), now: time };
        const { changes } = sql.revokeGrant.run({ ...place, by: encodeOptional(by) });
        const row = grantOf(at, time);
        if (row === undefined) return { is: 'unknown' };
        return { is: Number(changes) === 1 ? 'revoked' : 'over', grant: toStoredGrant(row) };
      }),

    questions: ({ tenant, kind, limit, after }) =>
      snapshot((time) => {
        const reached = after === undefined ? 0 : questionOf(tenant, after, time)?.seq;
        if (reached === undefined) return [];
        const asked = { tenant: encodeText(tenant), kind, now: time };
        return readPage<QuestionRow, StoredQuestion>(toRowLimit(limit), reached, toStoredQuestion, (place) =>
          sql.openQuestions.all({ ...asked, ...place }),
        );
      }),

    async takeNotices({ to, limit, leaseMs }) {
      const recipient = encodeText(to);
      const count = (time: number) => sql.notices.get({ to: recipient, now: time }) as { readonly open: number; readonly due: number };
      // Looking costs no transaction: most often nothing is due.
      const { open, due } = await snapshot(count);
      if (due === 0) return { notices: [], areLeft: open > 0 };
      return change((time) => {
        const rows = sql.dueNotices.all({ to: recipient, now: time, limit: toRowLimit(limit) }) as unknown as readonly NoticeRow[];
        const notices = rows.flatMap((row) => {
          // One that cannot be read waits like any other, and keeps none from being sent.
          sql.takeNotice.run({ seq: row.notice_seq, until: toWindowEnd(time, leaseMs) });
          const question = ifReadable(() => toStoredQuestion(row));
          if (question === undefined) return [];
          const { tenant, handle } = question;
          return [{ tenant, handle, to, event: row.notice_event, attempt: row.attempts + 1, question }];
        });
        return { notices, areLeft: count(time).open > notices.length };
      });
    },

    settleNotice: ({ tenant, handle, to, event, attempt }, { againMs, trouble }) =>
      change((time) => {
        const question = questionOf(tenant, handle, time)?.seq;
        if (question === undefined) return false;
        const { changes } = sql.settleNotice.run({
          question,
          to: encodeText(to),
          event,
          attempt,
          dueAt: toWindowEnd(time, againMs ?? 0),
          isOver: againMs === undefined ? 1 : 0,
          trouble: encodeOptional(trouble),
        });
        return changes === 1;
      }),

    watch: hints.watch,
  };

  return { calls, close: hints.close };
}

/** Reads a page, which is full where there are as many that can be read: a short one says that no more follow. */
function readPage<TRow extends { readonly seq: number }, TValue>(
  limit: number,
  reached: number,
  read: (row: TRow) => TValue,
  find: (place: { readonly after: number; readonly limit: number }) => readonly unknown[],
): readonly TValue[] {
  const values: TValue[] = [];
  for (let after: number | undefined = reached; after !== undefined && values.length < limit; ) {
    const most = limit - values.length;
    const rows = find({ after, limit: most }) as readonly TRow[];
    values.push(...rows.flatMap((row) => ifReadable(() => read(row)) ?? []));
    after = rows.length < most ? undefined : rows.at(-1)?.seq;
  }
  return values;
}

/** A call that may be taken, and since when. */
interface Due {
  readonly seq: number;
  readonly since: number;
  readonly wasDead: boolean;
}

/** A process that is dead, and has promised calls of a tool. */
interface DeadProcess {
  readonly tool: string;
  readonly process: string;
  readonly since: number;
}

interface StepDraft {
  readonly id: string;
  readonly name: string;
  readonly attempt: number;
  readonly isOpen: boolean;
  readonly record: string | null;
  readonly sleepMs?: number | undefined;
}

/** A call that begins, as it is written. */
type Draft = ReturnType<typeof toDraft>;
type WaitDraft = ReturnType<typeof toWaitDraft>;
type EndValues = ReturnType<typeof toEndValues>;

function toDraft(call: NewCall, retentionMs: number) {
  const { tenant, id, tool, process, isPromised, key, origin, wait, listed, by, start, args, keepMs } = call;
  const values = {
    tenant: encodeText(tenant),
    id: encodeText(id),
    tool: encodeText(tool),
    process: encodeOptional(process),
    promised: isPromised ? 1 : 0,
    ...toListedValues(listed),
    runId: encodeOptional(by.runId),
    sessionId: encodeOptional(by.sessionId),
    callerKey: encodeOptional(by.callerKey),
    begunAt: by.begunAt,
    keepMs: Math.min(keepMs, retentionMs),
    // Beginning and waiting are one write of the call.
    stage: wait === undefined ? 'running' : 'waiting',
    changes: wait === undefined ? 1 : 0,
    key: encodeOptional(key?.text),
    keyCountsMs: key?.countsMs ?? null,
    origin: encodeText(origin),
    grant: null,
    start: encodeValue(start),
    args: args === undefined ? null : encodeValue(args),
  };
  return { call, values, wait: wait && toWaitDraft(wait) };
}

function toWaitDraft({ outcome, listed, questions }: Wait) {
  return {
    values: { ...toListedValues(listed), outcome: encodeValue(outcome) },
    asks: questions.map(({ ask }) => encodeValue(ask)),
  };
}

function toEndValues({ outcome, listed, trace, guessAbout, keepsSteps, keyCountsMs }: CallEnd) {
  return {
    ...toListedValues(listed),
    outcome: encodeValue(outcome),
    trace: trace === undefined ? null : encodeValue(trace),
    guessAbout: guessAbout ?? null,
    keepsSteps: keepsSteps ? 1 : 0,
    keyCountsMs: keyCountsMs ?? null,
  };
}

function toListedValues(listed: ListedCall) {
  const { status, kind, replayOf } = listed;
  return { status, kind: kind ?? null, replayOf: encodeOptional(replayOf), listed: encodeValue(listed) };
}

function toPlace({ tenant, id }: CallPlace) {
  return { tenant: encodeText(tenant), id: encodeText(id) };
}

function encodeOptional(text: string | undefined): string | null {
  return text === undefined ? null : encodeText(text);
}
