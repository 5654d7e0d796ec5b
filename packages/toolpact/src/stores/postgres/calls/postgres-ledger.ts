import type { JsonValue } from '../../../outcome/index.ts';
import type {
  Begun,
  CallPlace,
  CallRows,
  Cancelled,
  Ledger,
  NewCall,
  NoticeEvent,
  RunPlace,
  StoredCall,
  TakenCall,
  Written,
} from '../../../ports/index.ts';
import { toCursor, toSpan as toTimeSpan } from '../../list-span.ts';
import { listWays, toWanted, valuesOf } from '../../list-ways.ts';
import { toRowLimit } from '../../row-limits.ts';
import { encodeText, encodeValue } from '../../stored-text.ts';
import { toBoundedName, toLongNames } from '../bounded-name.ts';
import type { PgQuery } from '../pg-pool.ts';
import { isConnectionLoss, isUniqueViolation, type PgSession } from '../pg-session.ts';
import type { PostgresNames } from '../postgres-schema.ts';
import {
  type CallRow,
  type CutRow,
  type GrantRow,
  type ListRow,
  type QuestionRow,
  type StateRow,
  type TakenRow,
  toCall,
  toGrant,
  toListRow,
  toOwnCall,
  toQuestion,
  toState,
  toSteps,
  toTakenCall,
} from './call-rows.ts';
import { callStatements, listOrders } from './call-statements.ts';
import {
  beginValues,
  endValues,
  grantQueryValues,
  grantValues,
  joinValues,
  placeValues,
  runValues,
  toHint,
  toMoment,
  toSpan,
  waitValues,
} from './call-values.ts';
import { createSharedRead, createSharedWrite } from './shared-write.ts';

/** Where a ledger keeps its calls. */
export interface PostgresLedgerOptions {
  readonly session: PgSession;
  readonly names: PostgresNames;
  readonly channel: string;
  /** Runs something as soon as the tables are there. */
  readonly enter: <TValue>(run: () => Promise<TValue>) => Promise<TValue>;
  readonly watch: Ledger['watch'];
  readonly retentionMs?: number | undefined;
  /** Returns the time by which the database judges, as SQL. @default clock_timestamp() */
  readonly now?: string | undefined;
}

/** A ledger in PostgreSQL, and what its store has to know of it. */
export interface PostgresLedger {
  readonly calls: Ledger;
  /** Deletes some of the calls that are to be forgotten; gives how many. */
  readonly sweep: (most: number) => Promise<number>;
}

/** How often others may come between before a store is taken to be broken. */
const maxTries = 20;

/** Keeps calls in PostgreSQL. What writes compares in the same statement, and locks the row of its call; the server's clock alone counts. */
export function createPostgresLedger(options: PostgresLedgerOptions): PostgresLedger {
  const { session, names, channel, enter, watch, retentionMs = Number.POSITIVE_INFINITY, now = 'clock_timestamp()' } = options;
  const { calls, steps, questions, grants, outbox, processes } = names;
  const sql = callStatements({ calls, steps, questions, grants, outbox, processes, channel: `'${channel}'` }, now);
  const read = <TRow>(query: PgQuery): Promise<readonly TRow[]> => session.query<TRow>(query, true);
  const write = <TRow>(query: PgQuery): Promise<readonly TRow[]> => session.query<TRow>(query);
  const hasWritten = async (query: PgQuery): Promise<boolean> => (await write(query)).length > 0;

  const writes = {
    begin: createSharedWrite({
      session,
      alone: sql.begin.alone.running,
      many: sql.begin.many,
      // Those that were not begun have found their key in use, or their id.
      skips: false,
      nameOf: ({ tenant, id }) => `${tenant} ${id}`,
    }),
    step: createSharedWrite({ session, ...sql.step, skips: true, nameOf: ({ tenant, id, step }) => `${tenant} ${id} ${step}` }),
    end: createSharedWrite({ session, ...sql.end, skips: true, nameOf: ({ tenant, id }) => `${tenant} ${id}` }),
  };

  const readInWay = createSharedRead<CallRow & InWay>({ session, ...sql.inWay, nameOf: ({ tenant, id }) => `${tenant} ${id}` });

  async function find(at: CallPlace): Promise<StoredCall | undefined> {
    const [row] = await read<CallRow>(sql.find(placeValues(at)));
    return row && toCall(row);
  }

  /** Answers a run; where nothing was written, the call says why. */
  async function answerRun(run: RunPlace, written: Promise<boolean>): Promise<Written> {
    return (await written) ? { is: 'written' } : { is: 'lost', call: await find(run) };
  }

  async function begin(call: NewCall): Promise<Begun> {
    const { instead, wait, grants } = call;
    const way = grants !== undefined ? 'granted' : wait === undefined ? 'running' : 'waiting';
    const statement = sql.begin[instead === undefined ? 'alone' : 'instead'][way];
    const isShared = instead === undefined && way === 'running';
    const values = beginValues(call, Math.min(call.keepMs, retentionMs));
    for (let tries = 0; tries < maxTries; tries += 1) {
      const written = isShared ? writes.begin(values) : write<{ readonly granted?: string }>(statement(values)).then((rows) => rows[0]);
      const begun = await written.catch(unlessTaken);
      if (begun !== undefined && begun !== false) {
        const granted = begun === true ? undefined : begun.granted;
        return {
          is: 'begun',
          epoch: 1,
          ...(granted !== undefined && { grant: grants?.find((id) => toBoundedName(id) === granted) ?? '' }),
        };
      }
      const inWay = isShared ? await readInWay(values) : await read<CallRow & InWay>(sql.inWay.alone(values));
      if (inWay.some(({ has_id }) => has_id)) return { is: 'refused' };
      const holder = inWay.find(({ has_key }) => has_key);
      const replaced = inWay.find(({ is_replaced }) => is_replaced);
      if (call.key !== undefined && holder !== undefined && holder !== replaced) return { is: 'found', call: toCall(holder) };
      if (instead !== undefined) {
        if (replaced === undefined) return { is: 'refused' };
        if (replaced.stage !== 'ended' || replaced.epoch !== instead.epoch || replaced.replaced_by !== null)
          return { is: 'found', call: toCall(replaced) };
      }
      if (wait?.mostWaiting !== undefined) {
        const [row] = await read<{ readonly is_full: boolean }>(sql.isFull(values));
        if (row?.is_full === true) return { is: 'full' };
      }
      if (grants !== undefined && (await read(sql.hasGrant(values))).length === 0) return { is: 'ungranted' };
      // Forgotten and expired calls are still there.
      await write(sql.makeWay(values));
    }
    throw changedTooOften('begin');
  }

  /** Reads calls that were just taken. One that another has taken meanwhile is left out. */
  async function readTaken(rows: readonly TakenPlace[]): Promise<readonly TakenCall[]> {
    if (rows.length === 0) return [];
    // In a statement of its own: it sees the steps that the run before has written until its call was taken.
    const found = await read<TakenRow>(sql.taken({ seqs: rows.map(({ seq }) => seq) }));
    const bySeq = new Map(found.map((row) => [row.seq, row]));
    return rows.flatMap(({ seq, epoch, was_dead }) => {
      const row = bySeq.get(seq);
      return row === undefined || row.epoch !== epoch ? [] : [toTakenCall(row, was_dead)];
    });
  }

  async function cancelOnce(at: CallPlace, { by, end }: Parameters<Ledger['cancel']>[1]): Promise<Cancelled | undefined> {
    const values = { ...placeValues(at), by: by === undefined ? null : encodeText(by), hint: toHint(at) };
    const ended = end && { ...endValues(end), epoch: end.epoch };
    for (const [is, query] of [
      ['ended', ended && sql.cancel.waiting({ ...values, ...ended })],
      // Not where it began to wait in between, as it was seen: then it ends after all.
      ['asked', sql.cancel.any({ ...values, endEpoch: end?.epoch ?? null })],
    ] as const) {
      const [place] = query === undefined ? [] : await write<{ readonly seq: number }>(query);
      const [row] = place === undefined ? [] : await read<CallRow>(sql.written(place));
      if (row !== undefined) return { is, call: toCall(row) };
    }
    const call = await find(at);
    if (call === undefined) return { is: 'unknown' };
    if (call.stage === 'ended') return { is: 'over', call };
    return call.isCancelled ? { is: 'asked', call } : undefined;
  }

  const ledger: Ledger = {
    begin: (call) => enter(() => begin(call)),
    take: (at, { epoch, process, from, grants }) =>
      enter(async () => {
        const names = {
          process: toBoundedName(process),
          longNames: toLongNames(process, ...(grants ?? [])),
          grants: grants?.map(toBoundedName) ?? [],
        };
        const values = { ...placeValues(at), epoch, ...names, hint: toHint(at) };
        const statement = grants === undefined ? sql.take[from] : sql.takeUnder;
        const [call] = await readTaken(await write<TakenPlace>(statement(values)));
        return call === undefined ? { is: 'lost', call: await find(at) } : { is: 'taken', call };
      }),
    takeDue: ({ process, tools, limit, graceMs = 0 }) =>
      enter(async () => {
        const most = Math.max(0, Math.floor(limit));
        if (tools.length === 0 || most === 0) return [];
        const names = { process: toBoundedName(process), longNames: toLongNames(process), tools: [...new Set(tools)].map(toBoundedName) };
        return readTaken(await write<TakenPlace>(sql.takeDue({ ...names, limit: most, graceMs: toSpan(graceMs) })));
      }),
    stepBegin: (run, step) => {
      const values = { ...runValues(run), ...stepValues(step), open: true, record: null, sleepMs: null };
      return enter(() => answerRun(run, writes.step(values)));
    },
    stepEnd: (run, step) => {
      const { record, sleepMs } = step;
      const ends = { open: false, record: record === undefined ? null : encodeValue(record), sleepMs: toSpan(sleepMs) };
      return enter(() => answerRun(run, writes.step({ ...runValues(run), ...stepValues(step), ...ends })));
    },
    wait: (run, wait) => {
      const values = { ...waitValues(wait), ...runValues(run), hint: toHint(run) };
      return enter(async () => {
        let joins = wait.joinKey !== undefined;
        for (let tries = 0; tries < maxTries; tries += 1) {
          const isWritten = await hasWritten(sql.wait[joins ? 'joining' : 'alone'](values)).catch(unlessTaken);
          if (isWritten) return { is: 'written' };
          const call = await find(run);
          if (call === undefined || call.epoch !== run.epoch || call.stage === 'ended') return { is: 'lost', call };
          if (call.isCancelled) return { is: 'cancelled' };
          const [row] = values.mostWaiting === null ? [] : await read<{ readonly is_full: boolean }>(sql.isFull(values));
          if (row?.is_full === true && call.stage !== 'waiting') return { is: 'full' };
          // Another call got the key at the same moment.
          joins &&= tries === 0;
        }
        throw changedTooOften('wait');
      });
    },
    answer: ({ tenant, handle }, { state, answer, wakes, end, grant }) => {
      const at = { tenant: toBoundedName(tenant), handle: toBoundedName(handle) };
      const values = {
        ...at,
        state,
        answer: encodeValue(answer),
        wakes,
        ...(end && { ...endValues(end), epoch: end.epoch }),
        ...(grant && grantValues(grant, tenant)),
      };
      return enter(async () => {
        for (let tries = 0; tries < maxTries; tries += 1) {
          const [row] = await write<QuestionRow & StateRow>(
            sql.answer[end !== undefined ? 'ending' : grant !== undefined ? 'granting' : 'going'](values),
          );
          if (row !== undefined) return { is: 'answered', question: toQuestion(row), call: toState(row) };
          const [asked] = await read<QuestionRow & { readonly is_over: boolean }>(sql.asked(at));
          if (asked === undefined) return { is: 'unknown' };
          if (asked.state !== 'open') return { is: 'decided', question: toQuestion(asked) };
          if (asked.is_over) return { is: 'expired', question: toQuestion(asked) };
          if (end !== undefined) return { is: 'changed' };
        }
        throw changedTooOften('answer');
      });
    },
    end: (run, end) => {
      const values = { ...endValues(end), ...runValues(run), hint: toHint(run) };
      return enter(async () => {
        try {
          return await answerRun(run, writes.end(values));
        } catch (error) {
          if (!isConnectionLoss(error)) throw error;
          // It may have been written before the connection broke: then the call has ended in this epoch, with this very outcome.
          const written = await answerRun(run, writes.end(values));
          return written.is === 'lost' && isSameEnd(written.call, run, values.outcome) ? { is: 'written' } : written;
        }
      });
    },
    cancel: (at, cancel) =>
      enter(async () => {
        for (let tries = 0; tries < maxTries; tries += 1) {
          const cancelled = await cancelOnce(at, cancel);
          if (cancelled !== undefined) return cancelled;
        }
        throw changedTooOften('cancel');
      }),
    note: (run, { progress, joinKey }) => {
      const values = {
        ...runValues(run),
        progress: progress === undefined ? null : encodeValue(progress),
        ...joinValues(joinKey),
        hint: toHint(run),
      };
      return enter(async () => {
        if (joinKey === undefined) return answerRun(run, hasWritten(sql.note.alone(values)));
        const joining = sql.note.joining({ ...values, longNames: toLongNames(joinKey.text) });
        // Another call may get the key at the same moment: then this one goes without.
        return (await hasWritten(joining).catch(unlessTaken)) ? { is: 'written' } : answerRun(run, hasWritten(sql.note.alone(values)));
      });
    },
    heartbeat: ({ process, leaseMs, ranMs }) =>
      enter(async () => {
        const values = { process: toBoundedName(process), leaseMs: toSpan(leaseMs), ranMs: toSpan(ranMs) };
        return (await read<StateRow>(sql.heartbeat(values))).map(toOwnCall);
      }),
    get: (tenant, handle) =>
      enter(async () => {
        const [row] = await read<CallRow>(sql.get({ tenant: toBoundedName(tenant), handle: toBoundedName(handle) }));
        return row && toCall(row);
      }),
    findByKey: (tenant, key) =>
      enter(async () => {
        const [row] = await read<CallRow>(sql.findByKey({ tenant: toBoundedName(tenant), key: toBoundedName(key) }));
        return row && toCall(row);
      }),
    isAlive: (process) =>
      enter(async () => {
        const [row] = await read<{ readonly alive: boolean }>(sql.isAlive({ process: toBoundedName(process) }));
        return row?.alive === true;
      }),
    look: (places) =>
      enter(async () => {
        if (places.length === 0) return [];
        const [tenants, ids] = [places.map(({ tenant }) => toBoundedName(tenant)), places.map(({ id }) => toBoundedName(id))];
        return (await read<StateRow>(sql.look({ tenants, ids }))).map(toState);
      }),
    steps: (at) =>
      enter(async () => {
        const [row] = await read<{ readonly steps: string | null }>(sql.steps(placeValues(at)));
        return toSteps(row?.steps ?? null);
      }),
    args: (at) =>
      enter(async () => {
        const [row] = await read<{ readonly args: string | null }>(sql.args(placeValues(at)));
        return row === undefined || row.args === null ? undefined : (JSON.parse(row.args) as JsonValue);
      }),
    list: (query) =>
      enter(async () => {
        const [{ since, before }, limit, wanted] = [toTimeSpan(query), toRowLimit(query.limit), toWanted(query, toBoundedName)];
        const span = { since: toMoment(since), before: toMoment(before.at), beforeSeq: before.seq };
        let first: CallRows | undefined;
        for (const { order, most } of listWays(listOrders, wanted, limit + 1)) {
          const named = Object.fromEntries(listOrders[order].map((column) => [column, valuesOf(wanted, column)]));
          const values = { tenant: toBoundedName(query.tenant), ...wanted, ...named, ...span, most, limit: limit + 1 };
          const found = await read<ListRow | CutRow>(sql.list[order](values));
          const rows = found.flatMap((row) => (row.seq === null ? [] : [toListRow(row, toCursor({ at: row.at, seq: row.seq }))]));
          if (rows.length > limit) return { rows: rows.slice(0, limit), next: (rows[limit - 1] as (typeof rows)[number]).cursor };
          const cut = found[0];
          if (cut === undefined || cut.cut_at === null || cut.cut_seq === null) return { rows };
          first ??= { rows, next: toCursor({ at: cut.cut_at, seq: cut.cut_seq }) };
        }
        return first ?? { rows: [] };
      }),
    grants: (query) =>
      enter(async () => (await read<GrantRow>(sql.grants({ ...grantQueryValues(query), limit: toRowLimit(query.limit) }))).map(toGrant)),
    revoke: (at, { by }) =>
      enter(async () => {
        const values = { ...placeValues(at), by: by === undefined ? null : encodeText(by) };
        const [row] = await write<GrantRow>(sql.revoke(values));
        if (row !== undefined) return { is: 'revoked', grant: toGrant(row) };
        const [grant] = await read<GrantRow>(sql.grant(placeValues(at)));
        return grant === undefined ? { is: 'unknown' } : { is: 'over', grant: toGrant(grant) };
      }),
    questions: ({ tenant, kind, limit, after }) =>
      enter(async () => {
        const asked = { tenant: toBoundedName(tenant), kind, handle: after === undefined ? null : toBoundedName(after) };
        return (await read<QuestionRow>(sql.questions({ ...asked, limit: toRowLimit(limit) }))).map(toQuestion);
      }),
    takeNotices: ({ to, limit, leaseMs }) =>
      enter(async () => {
        const recipient = { to: toBoundedName(to) };
        // Looking writes nothing: most often nothing is due.
        const [seen] = await read<{ readonly open: number; readonly due: number }>(sql.notices.look(recipient));
        if (seen === undefined || seen.due === 0) return { notices: [], areLeft: (seen?.open ?? 0) > 0 };
        const taken = await write<NoticeRow>(sql.notices.take({ ...recipient, limit: toRowLimit(limit), leaseMs: toSpan(leaseMs) }));
        // In a statement of its own: it sees the answer that made a notice due.
        const asked = await read<QuestionRow & { readonly seq: number }>(sql.notices.taken({ seqs: taken.map(({ seq }) => seq) }));
        const questions = new Map(asked.map((row) => [row.seq, toQuestion(row)]));
        const notices = taken.flatMap(({ seq, event, attempts }) => {
          const question = questions.get(seq);
          return question === undefined
            ? []
            : [{ tenant: question.tenant, handle: question.handle, to, event, attempt: attempts, question }];
        });
        return { notices, areLeft: seen.open > notices.length };
      }),
    settleNotice: ({ tenant, handle, to, event, attempt }, { againMs, trouble }) =>
      enter(() =>
        hasWritten(
          sql.notices.settle({
            tenant: toBoundedName(tenant),
            handle: toBoundedName(handle),
            to: toBoundedName(to),
            event,
            attempt,
            againMs: toSpan(againMs),
            trouble: trouble === undefined ? null : encodeText(trouble),
          }),
        ),
      ),
    watch,
  };

  return {
    calls: ledger,
    sweep: async (most) => (await write(sql.sweep({ most }))).length,
  };
}

/** How a call is in the way of another. */
interface InWay {
  readonly has_id: boolean;
  readonly has_key: boolean | null;
  readonly is_replaced: boolean | null;
}

/** A notice that was taken. */
interface NoticeRow {
  readonly seq: number;
  readonly event: NoticeEvent;
  readonly attempts: number;
}

/** A call that was taken, and in which epoch. */
interface TakenPlace {
  readonly seq: number;
  readonly epoch: number;
  readonly was_dead: boolean;
}

function stepValues({ id, name, attempt }: { readonly id: string; readonly name: string; readonly attempt: number }) {
  return { step: toBoundedName(id), name: encodeText(name), attempt, longNames: toLongNames(id) };
}

/** Checks whether an end that was perhaps written twice is the one that is there. */
function isSameEnd(call: StoredCall | undefined, { epoch }: RunPlace, outcome: string): boolean {
  return call?.stage === 'ended' && (call.epoch === epoch || call.epoch === epoch + 1) && JSON.stringify(call.outcome) === outcome;
}

/** Another call got an id or a key first; nothing was written then. */
function unlessTaken(error: unknown): false {
  if (isUniqueViolation(error)) return false;
  throw error;
}

function changedTooOften(operation: string): Error {
  return new Error(`Others changed the call first, ${maxTries} times in a row: ${operation} was given up.`);
}
