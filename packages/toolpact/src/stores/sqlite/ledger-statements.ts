import type { StatementSync } from 'node:sqlite';

/** Times end here: later ones are no whole numbers any more. */
const lastMoment = Number.MAX_SAFE_INTEGER;
const place = `tenant = $tenant AND id = $id`;
/** A call that waits, or that runs and was promised, is not forgotten; any other may lie in the file for a while after its time. */
const keptBy = (table: string): string =>
  `(${table}.kept_until > $now OR ${table}.stage = 'waiting' OR ${table}.stage = 'running' AND ${table}.promised = 1)`;
const kept = keptBy('toolpact_calls');
const promisedBy = (table: string): string => `${table}.stage = 'running' AND ${table}.promised = 1`;
const promised = promisedBy('toolpact_calls');
/** The only run that may write. */
const run = `${place} AND epoch = $epoch AND stage <> 'ended' AND ${kept}`;
/** Belongs to each write of a call. */
const changed = `changes = changes + 1, changed_at = $now, kept_until = min($now + keep_ms, ${lastMoment}),
  key_until = min($now + key_counts_ms, ${lastMoment})`;
const taken = `stage = 'running', epoch = epoch + 1, process = $process, run_at = $now, wake_at = NULL, woken_at = NULL, ${changed}`;

/** All that is read of a call but its arguments, and until when its process has given a sign of life. */
const call = `SELECT c.seq, c.tenant, c.id, c.tool, c.stage, c.epoch, c.process, c.promised, c.created_at, c.due_at, c.changed_at, c.ended_at, c.kept_until,
                c.changes, c.key, c.key_until, c.handle, c.origin, c.replaced_by, c.cancelled, c.cancelled_by, c.guess_about, c.remaining_ms, c.grant_id,
                p.lease_until, c.listed, c.progress, c.outcome, c.start, c.trace
              FROM toolpact_calls AS c LEFT JOIN toolpact_processes AS p ON p.id = c.process`;
const questionColumns = `q.seq, q.tenant, q.handle, q.id, q.kind, q.state, q.asked_at, q.expires_at, q.decided_at, q.ask, q.answer,
                    c.id AS call, c.tool, c.listed`;
const question = `SELECT ${questionColumns} FROM toolpact_questions AS q JOIN toolpact_calls AS c ON c.seq = q.call`;
/** How a question was closed is told only once it was. */
const noticeIsDue = `(o.event = 'asked' OR q.state <> 'open' OR q.expires_at <= $now)`;

const grantCounts = `(revoked_at IS NULL AND expires_at > $now AND (most_uses IS NULL OR uses < most_uses))`;
const grant = `SELECT seq, tenant, id, tool, scope, given_at, expires_at, most_uses, uses, used_at, revoked_at, revoked_by, permit,
                 ${grantCounts} AS active FROM toolpact_grants`;

/** The orders in which lists are read: each by an index that begins with the tenant and these columns. */
export const listOrders = {
  byCallerKey: ['caller_key'],
  byReplay: ['replay_of'],
  byRun: ['run_id'],
  bySession: ['session_id'],
  byToolAndKind: ['tool', 'kind', 'status'],
  byToolAndStatus: ['tool', 'status'],
  byKind: ['kind', 'status'],
  byStatus: ['status'],
} as const;

/** Finds places of calls in the order of a list, without reading the calls. */
function listedBy(columns: readonly string[]): string {
  const conditions = columns.map((column) => `${column} = ?`).join(' AND ');
  return `SELECT begun_at AS at, seq FROM toolpact_calls
          WHERE tenant = ? AND ${conditions} AND begun_at >= ? AND (begun_at, seq) < (?, ?)
          ORDER BY begun_at DESC, seq DESC LIMIT ?`;
}

/** The statements of the ledger, by name. */
export const ledgerTexts = {
  callOf: `${call} WHERE c.tenant = ? AND c.id = ?`,
  callAt: `${call} WHERE c.seq = ?`,
  callOfKey: `${call} WHERE c.tenant = ? AND c.key = ?`,
  callOfHandle: `${call} WHERE c.tenant = ? AND c.handle = ? ORDER BY c.seq DESC LIMIT 1`,
  callOfQuestion: `${call} WHERE c.seq = (SELECT call FROM toolpact_questions WHERE tenant = ? AND handle = ? ORDER BY seq DESC LIMIT 1)`,
  argsAt: `SELECT args FROM toolpact_calls WHERE seq = ?`,
  stateOf: `SELECT c.seq, c.tenant, c.id, c.stage, c.epoch, c.process, c.promised, c.cancelled, c.guess_about, c.changes, c.kept_until, p.lease_until
            FROM toolpact_calls AS c LEFT JOIN toolpact_processes AS p ON p.id = c.process WHERE c.tenant = ? AND c.id = ?`,

  insertCall: `INSERT INTO toolpact_calls (tenant, id, tool, stage, epoch, process, promised, status, kind, run_id, session_id, caller_key,
                 replay_of, begun_at, created_at, run_at, changed_at, keep_ms, kept_until, changes, key, key_counts_ms, key_until, handle, origin,
                 grant_id, listed, start, args)
               VALUES ($tenant, $id, $tool, $stage, 1, $process, $promised, $status, $kind, $runId, $sessionId, $callerKey,
                 $replayOf, $begunAt, $now, $now, $now, $keepMs, min($now + $keepMs, ${lastMoment}), $changes, $key, $keyCountsMs,
                 min($now + $keyCountsMs, ${lastMoment}), NULL, $origin, $grant, $listed, $start, $args)
               ON CONFLICT DO NOTHING`,
  deleteCall: `DELETE FROM toolpact_calls WHERE seq = ?`,
  freeKey: `UPDATE toolpact_calls SET key = NULL WHERE seq = ?`,
  giveKey: `UPDATE toolpact_calls SET key = $key, key_counts_ms = $keyCountsMs, key_until = min($now + $keyCountsMs, ${lastMoment}) WHERE seq = $seq`,
  replace: `UPDATE toolpact_calls SET key = NULL, replaced_by = $by, ${changed} WHERE seq = $seq`,
  inheritSteps: `UPDATE toolpact_steps SET call = ?, epoch = 0 WHERE call = ?`,
  inheritQuestions: `UPDATE toolpact_questions SET call = ? WHERE call = ? AND kind = 'input' AND state = 'answered'`,

  take: `UPDATE toolpact_calls SET ${taken}
         WHERE ${place} AND epoch = $seen AND CASE $from WHEN 'waiting' THEN stage = 'waiting' AND process IS NOT NULL
           ELSE stage = 'running' AND process <> $process AND NOT EXISTS (SELECT 1 FROM toolpact_processes AS p WHERE p.id = toolpact_calls.process AND p.lease_until > $now) END AND ${kept}
         RETURNING seq`,
  takeAt: `UPDATE toolpact_calls SET ${taken} WHERE seq = $seq`,
  due: `SELECT seq, due_at FROM toolpact_calls
        WHERE stage = 'waiting' AND due_at IS NOT NULL AND process IS NOT NULL AND tool = ? AND (due_at, seq) > (?, ?) AND due_at <= ?
        ORDER BY due_at, seq LIMIT ?`,
  // Steps from one process to the next, so that it takes no longer where each of them has many calls.
  deadProcesses: `WITH RECURSIVE owners (tool, process) AS (
                    SELECT value, (SELECT min(process) FROM toolpact_calls WHERE ${promised} AND tool = value AND process >= '') FROM json_each($tools)
                    UNION ALL
                    SELECT o.tool, (SELECT min(c.process) FROM toolpact_calls AS c WHERE ${promisedBy('c')} AND c.tool = o.tool AND c.process > o.process)
                      FROM owners AS o WHERE o.process IS NOT NULL)
                  SELECT o.tool, o.process, coalesce(p.lease_until, 0) AS since
                  FROM owners AS o LEFT JOIN toolpact_processes AS p ON p.id = o.process
                  WHERE o.process IS NOT NULL AND o.process <> $asker AND coalesce(p.lease_until, 0) <= $now ORDER BY since`,
  dead: `SELECT seq FROM toolpact_calls WHERE ${promised} AND tool = ? AND process = ? AND seq > ? ORDER BY seq LIMIT ?`,

  writeStep: `INSERT INTO toolpact_steps (call, id, name, attempt, epoch, open, sleeps_until, record)
                SELECT seq, $step, $name, $attempt, epoch, $open, $sleepsUntil, $record FROM toolpact_calls WHERE ${run}
              ON CONFLICT (call, id) DO UPDATE SET name = excluded.name, attempt = excluded.attempt, epoch = excluded.epoch, open = excluded.open,
                sleeps_until = excluded.sleeps_until, record = excluded.record`,
  stepsAt: `SELECT id, name, attempt, epoch, open, sleeps_until, record FROM toolpact_steps WHERE call = ? ORDER BY seq`,
  dropSteps: `DELETE FROM toolpact_steps WHERE call = ?`,

  wait: `UPDATE toolpact_calls SET stage = 'waiting', wake_at = $wakeAt, status = $status, kind = $kind, replay_of = $replayOf, listed = $listed,
           outcome = $outcome, remaining_ms = $remainingMs, handle = coalesce($handle, handle), ${changed}
         WHERE ${run} AND cancelled = 0 RETURNING seq, key`,
  countWaiting: `SELECT count(*) AS count FROM (SELECT 1 FROM toolpact_calls WHERE tenant = ? AND stage = 'waiting' LIMIT ?)`,
  ask: `INSERT INTO toolpact_questions (call, tenant, handle, id, kind, state, asked_at, expires_at, ask)
        VALUES ($call, $tenant, $handle, $id, $kind, 'open', $now, $expiresAt, $ask) ON CONFLICT (call, id) DO NOTHING`,
  notify: `INSERT INTO toolpact_outbox (question, recipient, event, due_at) SELECT $question, value, 'asked', $now FROM json_each($recipients) WHERE true
           ON CONFLICT (question, recipient) DO NOTHING`,
  notices: `SELECT count(*) AS open, coalesce(sum(o.due_at <= $now AND ${noticeIsDue}), 0) AS due
            FROM toolpact_outbox AS o JOIN toolpact_questions AS q ON q.seq = o.question JOIN toolpact_calls AS c ON c.seq = q.call
            WHERE o.recipient = $to AND o.event IS NOT NULL AND ${keptBy('c')}`,
  dueNotices: `SELECT o.seq AS notice_seq, o.event AS notice_event, o.attempts, ${questionColumns}
               FROM toolpact_outbox AS o JOIN toolpact_questions AS q ON q.seq = o.question JOIN toolpact_calls AS c ON c.seq = q.call
               WHERE o.recipient = $to AND o.event IS NOT NULL AND o.due_at <= $now AND ${noticeIsDue} AND ${keptBy('c')}
               ORDER BY o.due_at, o.seq LIMIT $limit`,
  takeNotice: `UPDATE toolpact_outbox SET due_at = $until, attempts = attempts + 1 WHERE seq = $seq`,
  settleNotice: `UPDATE toolpact_outbox SET due_at = $dueAt, trouble = coalesce($trouble, trouble), attempts = CASE $isOver WHEN 1 THEN 0 ELSE attempts END,
                   event = CASE $isOver WHEN 1 THEN CASE event WHEN 'asked' THEN 'closed' END ELSE event END
                 WHERE recipient = $to AND event = $event AND attempts = $attempt AND question = $question`,
  decide: `UPDATE toolpact_questions SET state = ?, decided_at = ?, answer = ? WHERE seq = ?`,
  withdraw: `UPDATE toolpact_questions SET state = 'withdrawn', decided_at = $now
             WHERE call = $call AND state = 'open' AND (expires_at IS NULL OR expires_at > $now)`,
  withdrawApproval: `UPDATE toolpact_questions SET state = 'withdrawn', decided_at = $now
                     WHERE call = $call AND kind = 'approval' AND state = 'open' AND (expires_at IS NULL OR expires_at > $now)`,
  giveGrant: `INSERT INTO toolpact_grants (tenant, id, tool, scope, given_at, expires_at, kept_until, most_uses, permit)
              VALUES ($tenant, $id, $tool, $scope, $now, $expiresAt, $keptUntil, $mostUses, $permit)`,
  grantOf: `${grant} WHERE tenant = $tenant AND id = $id AND kept_until > $now`,
  grantsOf: `${grant} WHERE tenant = $tenant AND tool = $tool AND scope IN (SELECT value FROM json_each($scopes))
               AND ($onlyActive = 0 OR ${grantCounts}) AND kept_until > $now AND seq > $after ORDER BY seq LIMIT $limit`,
  grantsOfTenant: `${grant} WHERE tenant = $tenant AND ($tool IS NULL OR tool = $tool)
                     AND ($scopes IS NULL OR scope IN (SELECT value FROM json_each($scopes))) AND ($onlyActive = 0 OR ${grantCounts})
                     AND kept_until > $now AND seq > $after ORDER BY seq LIMIT $limit`,
  useGrant: `UPDATE toolpact_grants SET uses = uses + 1, used_at = $now WHERE tenant = $tenant AND id = $id AND ${grantCounts}`,
  revokeGrant: `UPDATE toolpact_grants SET revoked_at = $now, revoked_by = $by WHERE tenant = $tenant AND id = $id AND ${grantCounts}`,
  runUnder: `UPDATE toolpact_calls SET grant_id = $grant WHERE seq = $seq`,
  sweepGrants: `DELETE FROM toolpact_grants WHERE kept_until <= ?`,
  wake: `UPDATE toolpact_calls SET woken_at = coalesce(woken_at, $now), ${changed} WHERE seq = $seq`,
  touch: `UPDATE toolpact_calls SET ${changed} WHERE seq = $seq`,
  end: `UPDATE toolpact_calls SET stage = 'ended', epoch = epoch + (stage = 'ended'), status = $status, kind = $kind, replay_of = $replayOf,
          listed = $listed, outcome = $outcome, trace = $trace, args = CASE $keepsSteps WHEN 1 THEN args END, ended_at = $now, woken_at = NULL, guess_about = $guessAbout, ${changed},
          key_until = min($now + coalesce($keyCountsMs, key_counts_ms), ${lastMoment}), key = CASE WHEN $keyCountsMs <= 0 THEN NULL ELSE key END
        WHERE ${place} AND ${kept} AND (epoch = $epoch AND stage <> 'ended' OR guess_about = $epoch AND stage = 'ended' AND $guessAbout IS NULL)
        RETURNING seq`,
  cancel: `UPDATE toolpact_calls SET cancelled = 1, cancelled_by = ? WHERE seq = ?`,
  note: `UPDATE toolpact_calls SET progress = coalesce($progress, progress), ${changed} WHERE ${run} RETURNING seq, key`,

  leaseOf: `SELECT lease_until FROM toolpact_processes WHERE id = ?`,
  shortenLeases: `UPDATE toolpact_processes SET lease_until = $until WHERE lease_until > $farthest`,
  beat: `INSERT INTO toolpact_processes (id, lease_until) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
  ownCalls: `SELECT tenant, id, epoch, cancelled FROM toolpact_calls
             WHERE stage = 'running' AND process = $process AND (cancelled = 1 OR run_at <= $ranSince) AND ${kept}`,

  questionsAt: `${question} WHERE q.call = ? ORDER BY q.seq`,
  questionOf: `${question} WHERE q.tenant = $tenant AND q.handle = $handle AND ${keptBy('c')} ORDER BY q.seq DESC LIMIT 1`,
  openQuestions: `${question} WHERE q.tenant = $tenant AND q.kind = $kind AND q.state = 'open' AND q.seq > $after
                    AND (q.expires_at IS NULL OR q.expires_at > $now) AND ${keptBy('c')}
                  ORDER BY q.seq LIMIT $limit`,

  ...(Object.fromEntries(Object.entries(listOrders).map(([name, columns]) => [name, listedBy(columns)])) as Record<
    keyof typeof listOrders,
    string
  >),
  rowAt: `SELECT c.seq, c.tenant, c.id, c.tool, c.stage, c.epoch, c.process, c.promised, c.status, c.kind, c.run_id, c.session_id, c.caller_key,
            c.replay_of, c.cancelled, c.guess_about, c.changes, c.kept_until, p.lease_until, c.listed, c.progress
          FROM toolpact_calls AS c LEFT JOIN toolpact_processes AS p ON p.id = c.process WHERE c.seq = ?`,

  fileVersion: `PRAGMA data_version`,
  callsEnd: `SELECT max(seq) AS last, count(*) AS seen FROM (SELECT seq FROM toolpact_calls WHERE seq > ? ORDER BY seq LIMIT ?)`,
  sweepCalls: `DELETE FROM toolpact_calls WHERE seq > $after AND seq <= $last AND NOT ${kept}`,
  sweepProcesses: `DELETE FROM toolpact_processes WHERE lease_until <= ?
                     AND NOT EXISTS (SELECT 1 FROM toolpact_calls AS c WHERE c.stage = 'running' AND c.process = toolpact_processes.id)`,
};

/** The statements of a ledger, prepared once. */
export type LedgerStatements = Readonly<Record<keyof typeof ledgerTexts, StatementSync>>;
