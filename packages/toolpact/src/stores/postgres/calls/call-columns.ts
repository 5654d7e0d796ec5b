/** The time at which a statement began to look at something; every statement on calls begins with `clock`. */
export const time = '(SELECT now FROM clock)';

/** The moment so many milliseconds from now. */
export const fromNow = (span: string): string => `(${time} + ${span} * interval '1 millisecond')`;

/** A moment in epoch milliseconds. */
const toMs = (moment: string): string => `round(date_part('epoch', ${moment}) * 1000)`;

/** Whether a process has given a sign of life in time. */
export const isAlive = (process: string): string =>
  `EXISTS (SELECT 1 FROM {processes} AS p WHERE p.id = ${process} AND p.lease_until > ${time})`;

/** Whether a call is not to be forgotten yet: never while it waits, nor while it runs and something is promised about it. */
export const isKept = (call: string): string =>
  `(${call}.kept_until > ${time} OR ${call}.stage = 'waiting' OR (${call}.stage = 'running' AND ${call}.promised))`;

const keyCounts = (call: string): string => `(${call}.key IS NOT NULL AND (${call}.stage <> 'ended' OR ${call}.key_until > ${time}))`;

/** Whether a call is there and its key counts. */
export const hasKey = (call: string): string => `(${keyCounts(call)} AND ${isKept(call)})`;

/** Where a call stands. */
export const stateColumns = `
  c.tenant, c.id, c.long_names::text AS long_names, c.epoch, c.stage, c.cancelled, c.changes,
  c.process IS NOT NULL AND (c.stage = 'running' OR (c.stage = 'ended' AND c.guess_about IS NOT DISTINCT FROM c.epoch)) AND NOT ${isAlive('c.process')} AS dead`;

/** A call as a list shows it. */
export const rowColumns = `${stateColumns}, c.listed::text AS listed, c.progress::text AS progress, date_part('epoch', c.begun_at) * 1000 AS at, c.seq::float8 AS seq`;

/**
 * Whether a question was open when its call ended. The end withdraws the questions that it sees; one that was asked while the end waited for the
 * row of the call it does not see.
 */
const wasOpenAtEnd = `(q.state = 'open' AND c.stage = 'ended' AND (q.expires_at IS NULL OR q.expires_at > c.ended_at))`;
export const isOpen = `(q.state = 'open' AND NOT ${wasOpenAtEnd})`;
const questionState = `CASE WHEN ${wasOpenAtEnd} THEN 'withdrawn' ELSE q.state END`;
const decidedAt = toMs(`(CASE WHEN ${wasOpenAtEnd} THEN c.ended_at ELSE q.decided_at END)`);

/** All that is stored of a call but its arguments and its steps. */
export const callColumns = `${stateColumns},
  c.seq::float8 AS seq, c.tool, c.handle, c.promised, c.process, CASE WHEN ${keyCounts('c')} THEN c.key END AS key, c.origin, c.start::text AS start,
  c.listed::text AS listed, c.outcome::text AS outcome, c.trace::text AS trace, c.progress::text AS progress, c.remaining_ms, c.guess_about, c.replaced_by, c.cancelled_by, c.grant_id, ${toMs('c.created_at')} AS created_at,
  ${toMs('c.changed_at')} AS changed_at, ${toMs(time)} AS read_at, CASE WHEN c.stage = 'waiting' THEN ${toMs('LEAST(c.wake_at, c.woken_at)')} END AS wake_at,
  ${toMs('c.ended_at')} AS ended_at, ${toMs("(c.changed_at + c.keep_ms * interval '1 millisecond')")} AS kept_until,
  (SELECT json_agg(json_build_array(q.handle, q.kind, q.id, ${questionState}, q.ask::text, q.answer::text, ${toMs('q.asked_at')}, ${toMs('q.expires_at')},
      ${decidedAt}, q.long_names) ORDER BY q.seq)
    FROM {questions} AS q WHERE q.call = c.seq)::text AS questions`;

/** As with questions, a step that was written while the end waited for the row of its call is still there when it is forgotten. */
const stepsOf = (call: string): string => `
  (SELECT json_agg(json_build_array(s.id, s.name, s.attempt, s.epoch, s.open, s.record::text, date_part('epoch', s.sleeps_until - ${time}) * 1000,
      s.long_names) ORDER BY s.seq)
    FROM {steps} AS s WHERE s.call = ${call} AND c.keeps_steps)::text`;

/** Further columns that a run needs of a call. */
export const runColumns = `c.args::text AS args, ${stepsOf('c.seq')} AS steps`;

/** The steps of a call alone. */
export const stepColumns = `${stepsOf('c.seq')} AS steps`;

/** A question and what is told of its call. */
export const questionColumns = `
  q.handle, q.kind, q.id AS question, ${questionState} AS state, q.ask::text AS ask, q.answer::text AS answer, ${toMs('q.asked_at')} AS asked_at, ${toMs('q.expires_at')} AS expires_at,
  ${decidedAt} AS decided_at, q.long_names::text AS question_names, c.tool, c.listed::text AS listed`;

/** Whether a grant counts. */
export const grantCounts = `(g.revoked_at IS NULL AND g.expires_at > ${time} AND (g.most_uses IS NULL OR g.uses < g.most_uses))`;

/** All that is stored of a grant. */
export const grantColumns = `
  g.tenant, g.id, g.long_names::text AS long_names, g.tool, g.scope, g.permit::text AS permit, ${toMs('g.given_at')} AS given_at,
  ${toMs('g.expires_at')} AS expires_at, g.most_uses, g.uses, ${toMs('g.used_at')} AS used_at, ${toMs('g.revoked_at')} AS revoked_at, g.revoked_by, ${grantCounts} AS active`;

/** The call of a question. */
export const placeColumns = 'c.tenant, c.id, c.long_names::text AS long_names';
