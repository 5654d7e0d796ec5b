import { type ListColumn, listColumns } from '../../list-ways.ts';
import { compileStatement, type NamedStatement } from '../named-statement.ts';
import {
  callColumns,
  fromNow,
  grantColumns,
  grantCounts,
  hasKey,
  isAlive,
  isKept,
  isOpen,
  placeColumns,
  questionColumns,
  rowColumns,
  runColumns,
  stateColumns,
  stepColumns,
  time,
} from './call-columns.ts';

/** Names a value of a statement: one of its own, or one of a row where many calls share the statement. */
type Given = (value: string) => string;

/** A value, and how the server takes it. */
type Values = Readonly<Record<string, 'text' | 'integer' | 'float8' | 'boolean' | 'json' | 'jsonb'>>;

const alone: Given = (value) => `:${value}`;
const shared: Given = (value) => `i.${value}`;
/** Creates a row out of the values of each call that shares a statement. JSON comes as text, because it has no arrays that a client could write. */
const rowsOf = (values: Values): string => {
  const names = Object.keys(values);
  const arrays = names.map((name) => `:${name}::${(values[name] as string).replace(/^jsonb?$/, 'text')}[]`);
  const columns = names.map((name) => (/^json/.test(values[name] as string) ? `i.${name}::${values[name]} AS ${name}` : `i.${name}`));
  return `i AS (SELECT ${columns.join(', ')}, i.place FROM unnest(${arrays.join(', ')}) WITH ORDINALITY AS i (${names.join(', ')}, place))`;
};

/** Each write of a call counts, and begins anew for how long it is kept. */
const touch = `changes = c.changes + 1, changed_at = ${time}, kept_until = ${fromNow('c.keep_ms')}`;
/** The same for a call that goes on running: where it is not forgotten anyway, no index changes. */
const touchRunning = `
  changes = c.changes + 1, changed_at = ${time},
  kept_until = CASE WHEN c.promised OR c.stage = 'waiting' THEN c.kept_until ELSE ${fromNow('c.keep_ms')} END`;

const isPlace = 'c.tenant = :tenant AND c.id = :id';

/** A run may write as long as its call has its epoch and has not ended. */
const isOwnRun = `${isPlace} AND c.epoch = :epoch AND c.stage <> 'ended' AND ${isKept('c')}`;

const callByHandle = `
  (SELECT c.seq FROM {calls} AS c WHERE c.tenant = :tenant AND c.id = :handle AND ${isKept('c')}),
  (SELECT c.seq FROM {calls} AS c WHERE c.tenant = :tenant AND c.handle = :handle AND ${isKept('c')} ORDER BY c.seq DESC LIMIT 1)`;
const questionByHandle = (column: string): string => `
  (SELECT ${column} FROM {questions} AS q JOIN {calls} AS c ON c.seq = q.call
    WHERE q.tenant = :tenant AND q.handle = :handle AND ${isKept('c')} ORDER BY q.seq DESC LIMIT 1)`;

/** Whether as many calls of the tenant wait as may. */
const isFull = `
  (SELECT count(*) FROM (SELECT 1 FROM {calls} AS o WHERE o.tenant = :tenant AND o.stage = 'waiting' LIMIT :mostWaiting::bigint) AS o) >= :mostWaiting::bigint`;

const isKeyOf = (call: string, given = alone): string =>
  `${call}.tenant = ${given('tenant')} AND ${call}.key = ${given('key')} AND ${hasKey(call)}`;

/** Frees a key that does not count any more, and finds whether it may then be given to a call that has none. */
const joining = `
  freed AS (UPDATE {calls} AS c SET key = NULL WHERE c.tenant = :tenant AND c.key = :joinKey AND NOT ${hasKey('c')} RETURNING c.seq),
  joining AS (
    SELECT (SELECT count(*) FROM freed) >= 0
      AND NOT EXISTS (SELECT 1 FROM {calls} AS c WHERE c.tenant = :tenant AND c.key = :joinKey AND ${hasKey('c')}) AS may
  ),`;
const join = `
  key = CASE WHEN c.key IS NULL AND (SELECT may FROM joining) THEN :joinKey ELSE c.key END,
  key_counts_ms = CASE WHEN c.key IS NULL AND (SELECT may FROM joining) THEN :joinCountsMs::float8 ELSE c.key_counts_ms END,`;

const nameLong = `
  long_names = CASE WHEN :longNames::jsonb IS NULL THEN c.long_names ELSE coalesce(c.long_names, '{}') || :longNames::jsonb END,`;

/** Adds the questions of a wait, but those which its call has asked before. */
const ask = (call: string): string => `
  asked AS (
    INSERT INTO {questions} (call, tenant, handle, kind, id, state, asked_at, expires_at, long_names, ask)
    SELECT ${call}.seq, :tenant, i.handle, i.kind, i.id, 'open', ${time}, ${fromNow('i.expires_ms')}, i.long_names::jsonb, i.ask::json
    FROM ${call}, unnest(:handles::text[], :kinds::text[], :questions::text[], :asks::text[], :expires::float8[], :askNames::text[])
      WITH ORDINALITY AS i (handle, kind, id, ask, expires_ms, long_names, place)
    ORDER BY i.place
    ON CONFLICT (call, id) DO NOTHING
    RETURNING seq
  ),
  notified AS (
    INSERT INTO {outbox} (question, recipient, event, due_at)
    SELECT DISTINCT asked.seq, r.recipient, 'asked', ${time} FROM asked, unnest(:notify::text[]) AS r (recipient)
  )`;

const endTypes = {
  tenant: 'text',
  id: 'text',
  epoch: 'integer',
  status: 'text',
  kind: 'text',
  replayOf: 'text',
  listed: 'json',
  outcome: 'json',
  trace: 'json',
  guessAbout: 'integer',
  keyCountsMs: 'float8',
  keepsSteps: 'boolean',
  hint: 'text',
} as const satisfies Values;

/** Sets all that a call has when it has ended. */
const end = (given: Given): string => `
  stage = 'ended', status = ${given('status')}, kind = ${given('kind')}, replay_of = ${given('replayOf')}, listed = ${given('listed')},
  outcome = ${given('outcome')}, trace = ${given('trace')}, args = CASE WHEN ${given('keepsSteps')}::boolean THEN c.args END,
  woken_at = NULL, ended_at = ${time}, guess_about = ${given('guessAbout')}::integer,
  keeps_steps = ${given('keepsSteps')}::boolean,
  key = CASE WHEN ${given('keyCountsMs')}::float8 <= 0 THEN NULL ELSE c.key END,
  key_until = ${fromNow(`coalesce(${given('keyCountsMs')}::float8, c.key_counts_ms)`)},
  ${touch}`;

/** Closes what a call that has ended leaves open; `call` is what has its number. */
const close = (call: string, keepsSteps = ':keepsSteps::boolean', butFor = ''): string => `
  withdrawn AS (
    UPDATE {questions} AS q SET state = 'withdrawn', decided_at = ${time} FROM ${call}
    WHERE q.call = ${call}.call AND q.state = 'open' AND (q.expires_at IS NULL OR q.expires_at > ${time}) ${butFor}
  ),
  forgotten AS (DELETE FROM {steps} AS s USING ${call} WHERE s.call = ${call}.call AND NOT ${keepsSteps})`;

const hint = (changed: string): string => `SELECT pg_notify({channel}, :hint) FROM ${changed}`;
const hintOf = (call: string): string => `pg_notify({channel}, json_build_array(${call}.tenant, ${call}.id)::text)`;

const beginTypes = {
  tenant: 'text',
  id: 'text',
  tool: 'text',
  process: 'text',
  status: 'text',
  kind: 'text',
  replayOf: 'text',
  promised: 'boolean',
  begunAt: 'float8',
  keepMs: 'float8',
  key: 'text',
  keyCountsMs: 'float8',
  runId: 'text',
  sessionId: 'text',
  callerKey: 'text',
  origin: 'text',
  longNames: 'jsonb',
  listed: 'json',
  start: 'json',
  args: 'json',
} as const satisfies Values;

/** The columns of a call that begins, and their values. */
const beginColumns = (given: Given): Readonly<Record<string, string>> => {
  const typed = (value: keyof typeof beginTypes): string => `${given(value)}::${beginTypes[value]}`;
  return {
    tenant: typed('tenant'),
    id: typed('id'),
    tool: typed('tool'),
    stage: "'running'",
    epoch: '1',
    process: typed('process'),
    status: typed('status'),
    kind: typed('kind'),
    replay_of: typed('replayOf'),
    promised: typed('promised'),
    changes: '1',
    begun_at: `to_timestamp(${typed('begunAt')} / 1000)`,
    created_at: 'clock.now',
    changed_at: 'clock.now',
    run_at: 'clock.now',
    kept_until: `clock.now + ${typed('keepMs')} * interval '1 millisecond'`,
    keep_ms: typed('keepMs'),
    key: typed('key'),
    key_counts_ms: typed('keyCountsMs'),
    run_id: typed('runId'),
    session_id: typed('sessionId'),
    caller_key: typed('callerKey'),
    origin: typed('origin'),
    long_names: typed('longNames'),
    listed: typed('listed'),
    start: typed('start'),
    args: typed('args'),
  };
};
/** Those of one that begins as one that waits. */
const waitColumns = (instead: boolean): Readonly<Record<string, string>> => ({
  stage: "'waiting'",
  wake_at: `clock.now + :wakeMs::float8 * interval '1 millisecond'`,
  remaining_ms: ':remainingMs::float8',
  handle: ':handle::text',
  outcome: ':outcome::json',
  key: `CASE WHEN :joins::boolean AND EXISTS (SELECT 1 FROM {calls} AS o WHERE ${isKeyOf('o')}${instead ? ' AND o.id <> :replaced' : ''}) THEN NULL
    ELSE :key::text END`,
});

interface BeginWay {
  readonly waits: boolean;
  readonly instead: boolean;
  /** Whether it runs under a grant. */
  readonly granted?: boolean;
}

/** Finds the calls that may be in the way of those that were to begin. */
const inWayMany = `
  , ${rowsOf({ tenant: 'text', id: 'text', key: 'text' })}
  SELECT i.place::integer AS place, ${callColumns}, c.id = i.id AS has_id, false AS is_replaced, ${isKeyOf('c', shared)} AS has_key
  FROM i JOIN {calls} AS c ON c.seq = ANY (ARRAY(
    SELECT o.seq FROM {calls} AS o WHERE o.tenant = i.tenant AND o.id = i.id UNION ALL SELECT o.seq FROM {calls} AS o WHERE ${isKeyOf('o', shared)}))
  WHERE ${isKept('c')}`;

/** Finds the first grant that counts, and holds it, so that nobody uses it up or revokes it meanwhile. */
const permit = (condition = 'true'): string => `
  permit AS (
    SELECT g.seq, g.id FROM {grants} AS g WHERE g.tenant = :tenant AND g.id = ANY (:grants::text[]) AND ${grantCounts} AND ${condition}
    ORDER BY array_position(:grants::text[], g.id) LIMIT 1 FOR UPDATE
  )`;
/** Counts a use; `by` is what was written under the grant. */
const useGrant = (by: string): string => `
  used AS (UPDATE {grants} AS g SET uses = g.uses + 1, used_at = ${time} FROM ${by}, permit WHERE g.seq = permit.seq)`;

const insert = (columns: Readonly<Record<string, string>>): string =>
  `INSERT INTO {calls} (${Object.keys(columns).join(', ')}) SELECT ${Object.values(columns).join(', ')} FROM clock`;

function begin({ waits, instead, granted = false }: BeginWay): string {
  const columns = { ...beginColumns(alone), ...(waits && waitColumns(instead)), ...(granted && { grant_id: 'permit.id' }) };
  const made = instead
    ? `${insert(columns)} JOIN freed ON true ${granted ? 'JOIN permit ON true' : ''} RETURNING seq`
    : `${insert(columns)} ${granted ? 'JOIN permit ON true' : ''} ${waits ? `WHERE :mostWaiting::bigint IS NULL OR NOT ${isFull}` : ''} ON CONFLICT DO NOTHING RETURNING seq`;
  const parts = [
    ...(granted ? [permit()] : []),
    ...(instead ? [freeReplaced(waits, granted)] : []),
    `made AS (${made})`,
    ...(granted ? [useGrant('made')] : []),
    ...(waits ? [ask('made')] : []),
    ...(instead ? [inherit] : []),
  ];
  return `${parts.join(', ')} ${waits ? hint('made') : granted ? 'SELECT permit.id AS granted FROM made, permit' : 'SELECT 1 FROM made'}`;
}

/** In the order of keys, so that two statements which meet at several wait for each other instead of blocking each other. */
const beginMany = `
  ${rowsOf(beginTypes)},
  made AS (${insert(beginColumns(shared))}, i ORDER BY i.tenant, i.key, i.id ON CONFLICT DO NOTHING RETURNING tenant, id)
  SELECT i.place::integer AS place FROM made JOIN i ON i.tenant = made.tenant AND i.id = made.id`;

/** Frees the key of the replaced call for the next insert. Without `ON CONFLICT`, so that all of this fails if another call has the key. */
const freeReplaced = (waits: boolean, granted: boolean): string => `
  freed AS (
    UPDATE {calls} AS c SET key = NULL, replaced_by = :wholeId, ${touch}
    WHERE c.tenant = :tenant AND c.id = :replaced AND c.epoch = :replacedEpoch AND c.stage = 'ended' AND c.replaced_by IS NULL AND ${isKept('c')}
      ${waits ? `AND (:mostWaiting::bigint IS NULL OR NOT ${isFull})` : ''} ${granted ? 'AND EXISTS (SELECT 1 FROM permit)' : ''}
    RETURNING c.seq AS replaced, c.keeps_steps
  )`;
const inherit = `
  moved AS (UPDATE {steps} AS s SET call = made.seq, epoch = 0 FROM made, freed WHERE s.call = freed.replaced AND freed.keeps_steps),
  kept AS (UPDATE {questions} AS q SET call = made.seq FROM made, freed WHERE q.call = freed.replaced AND q.kind = 'input' AND q.state = 'answered')`;

const wait = (joins: boolean): string => `
  ${joins ? joining : ''}
  changed AS (
    UPDATE {calls} AS c SET stage = 'waiting', status = :status, kind = :kind, replay_of = :replayOf, listed = :listed, outcome = :outcome,
      wake_at = ${fromNow(':wakeMs::float8')}, remaining_ms = :remainingMs::float8, handle = coalesce(:handle, c.handle), ${joins ? join : ''}
      ${nameLong} ${touch}
    WHERE ${isOwnRun} AND NOT c.cancelled AND (:mostWaiting::bigint IS NULL OR c.stage = 'waiting' OR NOT ${isFull})
    RETURNING c.seq
  ), ${ask('changed')}
  ${hint('changed')}`;

const note = (joins: boolean): string => `
  ${joins ? joining : ''}
  changed AS (
    UPDATE {calls} AS c SET progress = coalesce(:progress, c.progress), ${joins ? join + nameLong : ''} ${touchRunning} WHERE ${isOwnRun} RETURNING c.seq
  )
  ${hint('changed')}`;

const take = `
  UPDATE {calls} AS c SET stage = 'running', process = :process, epoch = c.epoch + 1, run_at = ${time}, wake_at = NULL, woken_at = NULL, ${nameLong} ${touch}`;

/** Takes a call that waits for an approval, under a grant in its place. */
const takeUnder = `
  locked AS (
    SELECT c.seq FROM {calls} AS c WHERE ${isPlace} AND c.epoch = :epoch AND c.process IS NOT NULL AND c.stage = 'waiting' FOR UPDATE
  ), ${permit('EXISTS (SELECT 1 FROM locked)')},
  changed AS (${take}, grant_id = permit.id FROM locked, permit WHERE c.seq = locked.seq RETURNING c.seq, c.epoch), ${useGrant('changed')},
  withdrawn AS (
    UPDATE {questions} AS q SET state = 'withdrawn', decided_at = ${time} FROM changed
    WHERE q.call = changed.seq AND q.kind = 'approval' AND q.state = 'open' AND (q.expires_at IS NULL OR q.expires_at > ${time})
  )
  SELECT seq::float8 AS seq, epoch, false AS was_dead, pg_notify({channel}, :hint) FROM changed`;

/** Calls of processes that are dead; whoever asks lives. Processes are few, so the index is looked at once for each. */
const dead = `
  owners AS (
    (SELECT c.process FROM {calls} AS c WHERE c.stage = 'running' AND c.process IS NOT NULL ORDER BY c.process LIMIT 1)
    UNION ALL
    SELECT (SELECT c.process FROM {calls} AS c WHERE c.stage = 'running' AND c.process > o.process ORDER BY c.process LIMIT 1)
    FROM owners AS o WHERE o.process IS NOT NULL
  ),
  gone AS MATERIALIZED (
    SELECT o.process, coalesce(p.lease_until, '-infinity') AS due FROM owners AS o LEFT JOIN {processes} AS p ON p.id = o.process
    WHERE o.process IS NOT NULL AND o.process <> :process AND (p.lease_until IS NULL OR p.lease_until <= ${time})
  ),
  dead AS (
    SELECT c.seq, gone.due, true AS was_dead FROM gone JOIN {calls} AS c ON c.process = gone.process
    WHERE c.stage = 'running' AND c.process IS NOT NULL AND c.promised AND c.tool = ANY (:tools::text[])
    ORDER BY gone.due LIMIT :limit FOR UPDATE OF c SKIP LOCKED
  )`;
const wakeTime = 'LEAST(c.wake_at, c.woken_at)';
const takeDue = `
  ${dead},
  waiting AS (
    SELECT c.seq, ${wakeTime} AS due, false AS was_dead FROM {calls} AS c
    WHERE c.stage = 'waiting' AND c.process IS NOT NULL AND c.tool = ANY (:tools::text[])
      AND ${wakeTime} <= ${time} - :graceMs::float8 * interval '1 millisecond'
    ORDER BY ${wakeTime} LIMIT :limit FOR UPDATE SKIP LOCKED
  ),
  due AS (SELECT * FROM dead UNION ALL SELECT * FROM waiting ORDER BY due LIMIT :limit),
  taken AS (${take} FROM due WHERE c.seq = due.seq RETURNING c.seq::float8 AS seq, c.tenant, c.id, c.epoch, due.was_dead, due.due)
  SELECT seq, epoch, was_dead, ${hintOf('taken')} FROM taken ORDER BY due`;

const stepTypes = {
  tenant: 'text',
  id: 'text',
  epoch: 'integer',
  step: 'text',
  name: 'text',
  attempt: 'integer',
  open: 'boolean',
  record: 'json',
  sleepMs: 'float8',
  longNames: 'jsonb',
} as const satisfies Values;

const writeSteps = (given: Given): string => `
  INSERT INTO {steps} AS s (call, id, name, attempt, epoch, open, record, sleeps_until, long_names)
  SELECT run.seq, ${given('step')}, ${given('name')}, ${given('attempt')}::integer, ${given('epoch')}::integer, ${given('open')}::boolean,
    ${given('record')}::json, ${fromNow(`${given('sleepMs')}::float8`)}, ${given('longNames')}::jsonb
  FROM run
  ON CONFLICT (call, id) DO UPDATE SET name = excluded.name, attempt = excluded.attempt, epoch = excluded.epoch, open = excluded.open,
    sleeps_until = excluded.sleeps_until, record = excluded.record
  RETURNING 1`;

/** The row of the call is locked, so that nobody takes it meanwhile without the step. */
const step = `
  run AS (SELECT c.seq FROM {calls} AS c WHERE ${isOwnRun} FOR SHARE),
  written AS (${writeSteps(alone)})
  SELECT 1 FROM written`;
/** Whoever has a row holds up nobody else: what is skipped is written alone. */
const stepMany = `
  ${rowsOf(stepTypes)},
  run AS (
    SELECT c.seq, i.* FROM i JOIN {calls} AS c ON c.tenant = i.tenant AND c.id = i.id
    WHERE c.epoch = i.epoch AND c.stage <> 'ended' AND ${isKept('c')} FOR SHARE OF c SKIP LOCKED
  ),
  written AS (${writeSteps((value) => `run.${value}`)})
  SELECT place::integer AS place FROM run`;

const giveGrant = `
  given AS (
    INSERT INTO {grants} (tenant, id, tool, scope, given_at, expires_at, kept_until, most_uses, long_names, permit)
    SELECT :tenant, :grantId, :grantTool, :grantScope, ${time}, ${fromNow(':grantExpiresMs::float8')},
      ${fromNow(':grantKeepMs::float8')}, :grantMostUses::float8, :grantNames::jsonb, :grantPermit::json
    FROM answered
  )`;

const answer = (ends: boolean, grants = false): string => `
  asked AS (
    SELECT coalesce(
      ${questionByHandle('q.seq')},
      (SELECT CASE WHEN count(*) = 1 THEN min(q.seq) END FROM {questions} AS q WHERE q.state = 'open' AND q.call = coalesce(${callByHandle}))
    ) AS seq
  ),
  locked AS (
    SELECT c.seq FROM {calls} AS c WHERE c.seq = (SELECT q.call FROM {questions} AS q WHERE q.seq = (SELECT seq FROM asked)) AND ${isKept('c')}
      AND ${ends ? "c.stage = 'waiting' AND c.epoch = :epoch" : "c.stage <> 'ended'"}
    FOR UPDATE
  ),
  answered AS (
    UPDATE {questions} AS q SET state = :state, answer = :answer, decided_at = ${time} FROM locked
    WHERE q.seq = (SELECT seq FROM asked) AND q.state = 'open' AND (q.expires_at IS NULL OR q.expires_at > ${time})
    RETURNING q.*
  ),
  changed AS (
    UPDATE {calls} AS c SET ${ends ? end(alone) : `woken_at = CASE WHEN :wakes::boolean THEN coalesce(c.woken_at, ${time}) ELSE c.woken_at END, ${touch}`}
    FROM answered WHERE c.seq = answered.call RETURNING c.*
  ) ${ends ? `, ${close('answered', undefined, 'AND q.seq <> answered.seq')}` : ''} ${grants ? `, ${giveGrant}` : ''}
  SELECT ${questionColumns}, ${stateColumns}, ${hintOf('c')} FROM answered AS q JOIN changed AS c ON true`;

const mayEnd = (given: Given): string => `
  ${isKept('c')} AND (
    (c.epoch = ${given('epoch')} AND c.stage <> 'ended')
    OR (c.stage = 'ended' AND c.guess_about = ${given('epoch')} AND ${given('guessAbout')}::integer IS NULL))`;
const nextEpoch = `epoch = CASE WHEN c.stage = 'ended' THEN c.epoch + 1 ELSE c.epoch END`;
const ended = `
  changed AS (UPDATE {calls} AS c SET ${end(alone)}, ${nextEpoch} WHERE ${isPlace} AND ${mayEnd(alone)} RETURNING c.seq AS call),
  ${close('changed')}
  ${hint('changed')}`;
const endMany = `
  ${rowsOf(endTypes)},
  run AS (
    SELECT c.seq, i.place FROM i JOIN {calls} AS c ON c.tenant = i.tenant AND c.id = i.id WHERE ${mayEnd(shared)} FOR UPDATE OF c SKIP LOCKED
  ),
  changed AS (
    UPDATE {calls} AS c SET ${end(shared)}, ${nextEpoch} FROM run JOIN i ON i.place = run.place WHERE c.seq = run.seq
    RETURNING c.seq AS call, i.place, i.keepsSteps, i.hint
  ),
  ${close('changed', 'changed.keepsSteps')}
  SELECT place::integer AS place, pg_notify({channel}, hint) FROM changed`;

const cancelWaiting = `
  changed AS (
    UPDATE {calls} AS c SET cancelled = true, cancelled_by = CASE WHEN c.cancelled THEN c.cancelled_by ELSE :by END, ${end(alone)}
    WHERE ${isPlace} AND c.stage = 'waiting' AND c.epoch = :epoch RETURNING c.seq AS call
  ), ${close('changed')}
  SELECT call::float8 AS seq, pg_notify({channel}, :hint) FROM changed`;

const cancel = `
  changed AS (
    UPDATE {calls} AS c SET cancelled = true, cancelled_by = :by,
      woken_at = CASE WHEN c.stage = 'waiting' THEN coalesce(c.woken_at, ${time}) ELSE c.woken_at END, ${touch}
    WHERE ${isPlace} AND NOT c.cancelled AND c.stage <> 'ended' AND NOT (c.stage = 'waiting' AND c.epoch IS NOT DISTINCT FROM :endEpoch::integer) AND ${isKept('c')} RETURNING c.seq
  )
  SELECT seq::float8 AS seq, pg_notify({channel}, :hint) FROM changed`;

const isForgotten = `c.kept_until <= ${time} AND (c.stage = 'ended' OR (c.stage = 'running' AND NOT c.promised))`;

/** Selects notices that are still unsent. */
const unsettled = `
  FROM {outbox} AS o JOIN {questions} AS q ON q.seq = o.question JOIN {calls} AS c ON c.seq = q.call
  WHERE o.recipient = :to AND o.event IS NOT NULL AND ${isKept('c')}`;
/** How a question was closed is told only once it was. */
const noticeIsDue = `(o.event = 'asked' OR NOT ${isOpen} OR q.expires_at <= ${time})`;

/** Writes the statements of the calls of a store; `now` is the time by which they judge. */
export function callStatements(tables: Readonly<Record<string, string>>, now: string) {
  const compile = (text: string, plan?: 'each time') =>
    compileStatement(`WITH RECURSIVE clock AS MATERIALIZED (SELECT ${now} AS now)${text}`, tables, plan);
  const read = (text: string, plan?: 'each time') => compile(` ${text}`, plan);
  const write = (text: string) => compile(`, ${text}`);
  const found = `c.seq = ANY (ARRAY(
    SELECT c.seq FROM {calls} AS c WHERE c.tenant = :tenant AND c.id IN (:id, :replaced) UNION ALL SELECT c.seq FROM {calls} AS c WHERE ${isKeyOf('c')}))`;
  return {
    begin: {
      alone: {
        granted: write(begin({ waits: false, instead: false, granted: true })),
        running: write(begin({ waits: false, instead: false })),
        waiting: write(begin({ waits: true, instead: false })),
      },
      instead: {
        granted: write(begin({ waits: false, instead: true, granted: true })),
        running: write(begin({ waits: false, instead: true })),
        waiting: write(begin({ waits: true, instead: true })),
      },
      many: write(beginMany),
    },
    /** The calls that may be in the way of one that was to begin. */
    inWay: {
      alone: read(
        `SELECT ${callColumns}, c.id = :id AS has_id, c.id = :replaced AS is_replaced, ${isKeyOf('c')} AS has_key FROM {calls} AS c WHERE ${found} AND ${isKept('c')}`,
      ),
      many: read(inWayMany),
    },
    isFull: read(`SELECT ${isFull} AS is_full`),
    /** Deletes the forgotten call that has an id, and frees a key that does not count any more. */
    makeWay: write(`
      freed AS (UPDATE {calls} AS c SET key = NULL WHERE c.tenant = :tenant AND c.key = :key AND c.id <> :id AND NOT ${hasKey('c')}),
      gone AS (DELETE FROM {calls} AS c WHERE ${isPlace} AND ${isForgotten}) SELECT 1`),
    take: {
      waiting:
        write(`changed AS (${take} WHERE ${isPlace} AND c.epoch = :epoch AND c.process IS NOT NULL AND c.stage = 'waiting' RETURNING c.seq, c.epoch)
        SELECT seq::float8 AS seq, epoch, false AS was_dead, pg_notify({channel}, :hint) FROM changed`),
      dead: write(`changed AS (${take} WHERE ${isPlace} AND c.epoch = :epoch AND c.process <> :process AND c.stage = 'running' AND NOT ${isAlive('c.process')}
          AND ${isKept('c')} RETURNING c.seq, c.epoch)
        SELECT seq::float8 AS seq, epoch, true AS was_dead, pg_notify({channel}, :hint) FROM changed`),
    },
    takeDue: write(takeDue),
    taken: read(`SELECT ${callColumns}, ${runColumns} FROM {calls} AS c WHERE c.seq = ANY (:seqs::bigint[])`),
    step: { alone: write(step), many: write(stepMany) },
    wait: { alone: write(wait(false)), joining: write(wait(true)) },
    takeUnder: write(takeUnder),
    grants: read(
      `SELECT ${grantColumns} FROM {grants} AS g WHERE g.tenant = :tenant AND (:tool::text IS NULL OR g.tool = :tool)
        AND (:scopes::text[] IS NULL OR g.scope = ANY (:scopes::text[])) AND (NOT :onlyActive::boolean OR ${grantCounts}) AND g.kept_until > ${time}
        AND g.seq > CASE WHEN :after::text IS NULL THEN 0 ELSE (SELECT o.seq FROM {grants} AS o WHERE o.tenant = :tenant AND o.id = :after AND o.kept_until > ${time}) END
      ORDER BY g.seq LIMIT :limit`,
      'each time',
    ),
    hasGrant: read(`SELECT 1 FROM {grants} AS g WHERE g.tenant = :tenant AND g.id = ANY (:grants::text[]) AND ${grantCounts} LIMIT 1`),
    grant: read(`SELECT ${grantColumns} FROM {grants} AS g WHERE g.tenant = :tenant AND g.id = :id AND g.kept_until > ${time}`),
    revoke: write(`
      revoked AS (
        UPDATE {grants} AS g SET revoked_at = ${time}, revoked_by = :by WHERE g.tenant = :tenant AND g.id = :id AND ${grantCounts} RETURNING g.*
      )
      SELECT ${grantColumns} FROM revoked AS g`),
    answer: { granting: write(answer(false, true)), going: write(answer(false)), ending: write(answer(true)) },
    /** The question that a handle stands for: its own, or the one that is open or was asked last of its call. */
    asked: read(`
      SELECT ${questionColumns}, ${placeColumns}, ${isOpen} AND q.expires_at <= ${time} AS is_over FROM {questions} AS q JOIN {calls} AS c ON c.seq = q.call
      WHERE q.seq = coalesce(${questionByHandle('q.seq')}, (
        SELECT CASE WHEN count(*) FILTER (WHERE ${isOpen}) > 1 THEN NULL ELSE coalesce(min(q.seq) FILTER (WHERE ${isOpen}), max(q.seq)) END
        FROM {questions} AS q JOIN {calls} AS c ON c.seq = q.call WHERE q.call = coalesce(${callByHandle})))`),
    end: { alone: write(ended), many: write(endMany) },
    cancel: { waiting: write(cancelWaiting), any: write(cancel) },
    note: { alone: write(note(false)), joining: write(note(true)) },
    heartbeat: write(`
      signed AS (
        INSERT INTO {processes} AS p (id, lease_until) SELECT :process, now + :leaseMs::float8 * interval '1 millisecond' FROM clock
        ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until
      )
      SELECT ${placeColumns}, c.epoch, c.cancelled FROM {calls} AS c
      WHERE c.process = :process AND c.stage = 'running' AND ${isKept('c')} AND (c.cancelled OR c.run_at <= ${time} - :ranMs::float8 * interval '1 millisecond')`),
    get: read(`SELECT ${callColumns} FROM {calls} AS c WHERE c.seq = coalesce(${callByHandle}, ${questionByHandle('q.call')})`),
    find: read(`SELECT ${callColumns} FROM {calls} AS c WHERE ${isPlace} AND ${isKept('c')}`),
    /** A call that was just written, however long it is kept. */
    written: read(`SELECT ${callColumns} FROM {calls} AS c WHERE c.seq = :seq`),
    findByKey: read(`SELECT ${callColumns} FROM {calls} AS c WHERE ${isKeyOf('c')}`),
    isAlive: read(`SELECT ${isAlive(':process')} AS alive`),
    look: read(`
      SELECT ${stateColumns} FROM unnest(:tenants::text[], :ids::text[]) AS i (tenant, id) JOIN {calls} AS c ON c.tenant = i.tenant AND c.id = i.id WHERE ${isKept('c')}`),
    args: read(`SELECT c.args::text AS args FROM {calls} AS c WHERE ${isPlace} AND ${isKept('c')}`),
    steps: read(`SELECT ${stepColumns} FROM {calls} AS c WHERE ${isPlace} AND ${isKept('c')}`),
    list: Object.fromEntries(
      Object.entries(listOrders).map(([order, columns]) => [order, compile(`, ${list(columns)}`, 'each time')]),
    ) as Readonly<Record<keyof typeof listOrders, NamedStatement>>,
    questions: read(
      `SELECT ${questionColumns}, ${placeColumns} FROM {questions} AS q JOIN {calls} AS c ON c.seq = q.call
      WHERE q.tenant = :tenant AND q.kind = :kind AND q.state = 'open' AND ${isOpen} AND (q.expires_at IS NULL OR q.expires_at > ${time})
        AND ${isKept('c')} AND q.seq > CASE WHEN :handle::text IS NULL THEN 0 ELSE ${questionByHandle('q.seq')} END
      ORDER BY q.seq LIMIT :limit`,
      'each time',
    ),
    notices: {
      look: read(
        `SELECT count(*)::integer AS open, (count(*) FILTER (WHERE o.due_at <= ${time} AND ${noticeIsDue}))::integer AS due ${unsettled}`,
      ),
      take: write(`
        due AS (
          SELECT o.seq, o.due_at ${unsettled} AND o.due_at <= ${time} AND ${noticeIsDue} ORDER BY o.due_at, o.seq LIMIT :limit FOR UPDATE OF o SKIP LOCKED
        ),
        taken AS (
          UPDATE {outbox} AS o SET attempts = o.attempts + 1, due_at = ${fromNow(':leaseMs::float8')} FROM due WHERE o.seq = due.seq
          RETURNING o.seq, o.event, o.attempts, due.due_at
        )
        SELECT seq::float8 AS seq, event, attempts FROM taken ORDER BY due_at, taken.seq`),
      taken: read(`
        SELECT o.seq::float8 AS seq, ${questionColumns}, ${placeColumns}
        FROM {outbox} AS o JOIN {questions} AS q ON q.seq = o.question JOIN {calls} AS c ON c.seq = q.call
        WHERE o.seq = ANY (:seqs::bigint[]) ORDER BY o.seq`),
      settle: write(`
        settled AS (
          UPDATE {outbox} AS o SET due_at = ${fromNow('coalesce(:againMs::float8, 0)')}, trouble = coalesce(:trouble, o.trouble),
            attempts = CASE WHEN :againMs::float8 IS NULL THEN 0 ELSE o.attempts END,
            event = CASE WHEN :againMs::float8 IS NOT NULL THEN o.event WHEN o.event = 'asked' THEN 'closed' END
          WHERE o.recipient = :to AND o.event = :event AND o.attempts = :attempt AND o.question = ${questionByHandle('q.seq')} RETURNING 1
        )
        SELECT 1 FROM settled`),
    },
    sweep: write(`
      silent AS (
        DELETE FROM {processes} AS p WHERE p.lease_until <= ${time} - interval '1 day'
          AND NOT EXISTS (SELECT 1 FROM {calls} AS c WHERE c.process = p.id AND c.stage = 'running')
      )
      , stale AS (DELETE FROM {grants} AS g WHERE g.kept_until <= ${time})
      DELETE FROM {calls} AS c WHERE c.seq IN (SELECT c.seq FROM {calls} AS c WHERE ${isForgotten} LIMIT :most FOR UPDATE SKIP LOCKED) RETURNING 1`),
  };
}

/** The indexes in whose order calls are listed, and the columns that each of them begins with; those that name most come first. */
export const listOrders = {
  byCallerKey: ['caller_key'],
  byReplay: ['replay_of'],
  byRun: ['run_id'],
  byToolAndKind: ['tool', 'kind'],
  bySession: ['session_id'],
  byTool: ['tool', 'status'],
  byKind: ['kind'],
  byStatus: ['status'],
} as const satisfies Readonly<Record<string, readonly ListColumn[]>>;

/**
 * Finds the calls that began last: so many places for each combination of what an index names, then of these the calls that are wanted. `cut` is the
 * newest of the last places of combinations that have more: calls before it may belong between those of others, and follow on the next page.
 */
function list(named: readonly ListColumn[]): string {
  const combined = named.map((column) => `unnest(:${column}::text[]) AS ${column}_asked (${column})`).join(' CROSS JOIN ');
  const asked = named.map((column) => `AND c.${column} = asked.${column}`).join(' ');
  const others = listColumns
    .filter((column) => !named.includes(column))
    .map((column) => `AND (:${column}::text[] IS NULL OR c.${column} = ANY (:${column}::text[]))`)
    .join(' ');
  return `
    looked AS MATERIALIZED (
      SELECT found.* FROM (SELECT * FROM ${combined}) AS asked, LATERAL (
        SELECT c.*, row_number() OVER (ORDER BY c.begun_at DESC, c.seq DESC) AS nth FROM (
          SELECT c.begun_at, c.seq, ${isKept('c')} ${others} AS fits FROM {calls} AS c
          WHERE c.tenant = :tenant ${asked} AND c.begun_at >= to_timestamp(:since::float8 / 1000)
            AND (c.begun_at, c.seq) < (to_timestamp(:before::float8 / 1000), :beforeSeq::bigint)
          ORDER BY c.begun_at DESC, c.seq DESC LIMIT :most::integer
        ) AS c
      ) AS found
    ),
    cut AS MATERIALIZED (SELECT begun_at, seq FROM looked WHERE nth = :most::integer ORDER BY begun_at DESC, seq DESC LIMIT 1),
    page AS MATERIALIZED (
      SELECT seq FROM looked
      WHERE fits AND NOT EXISTS (SELECT 1 FROM cut WHERE (looked.begun_at, looked.seq) < (cut.begun_at, cut.seq))
      ORDER BY begun_at DESC, seq DESC LIMIT :limit
    )
    SELECT cut.cut_at, cut.cut_seq, row.* FROM (SELECT 1) AS one
      LEFT JOIN (SELECT date_part('epoch', begun_at) * 1000 AS cut_at, seq::float8 AS cut_seq FROM cut) AS cut ON true
      LEFT JOIN (SELECT ${rowColumns} FROM page JOIN {calls} AS c ON c.seq = page.seq) AS row ON true
    ORDER BY row.at DESC, row.seq DESC`;
}
