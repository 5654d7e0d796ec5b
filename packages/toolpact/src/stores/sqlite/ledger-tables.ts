/**
 * The tables of the ledger of calls; docs/tables.md says what each column is. A call is found by its `seq` within the file. Numbers are used
 * again, so what hangs on a call goes with it, whoever deletes it.
 */
export const ledgerTables = `
  CREATE TABLE toolpact_calls (
    seq INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    tool TEXT NOT NULL,
    stage TEXT NOT NULL CHECK (stage IN ('running', 'waiting', 'ended')),
    epoch INTEGER NOT NULL,
    process TEXT,
    promised INTEGER NOT NULL,
    status TEXT NOT NULL,
    kind TEXT,
    run_id TEXT,
    session_id TEXT,
    caller_key TEXT,
    replay_of TEXT,
    begun_at NUMERIC NOT NULL,
    created_at NUMERIC NOT NULL,
    run_at NUMERIC NOT NULL,
    wake_at NUMERIC,
    woken_at NUMERIC,
    due_at NUMERIC AS (min(coalesce(wake_at, woken_at), coalesce(woken_at, wake_at))),
    changed_at NUMERIC NOT NULL,
    ended_at NUMERIC,
    keep_ms NUMERIC NOT NULL,
    kept_until NUMERIC NOT NULL,
    changes INTEGER NOT NULL,
    key TEXT,
    key_counts_ms NUMERIC,
    key_until NUMERIC,
    handle TEXT,
    origin TEXT NOT NULL,
    replaced_by TEXT,
    cancelled INTEGER NOT NULL DEFAULT 0,
    cancelled_by TEXT,
    guess_about INTEGER,
    remaining_ms NUMERIC,
    grant_id TEXT,
    listed TEXT NOT NULL,
    progress TEXT,
    outcome TEXT,
    start TEXT NOT NULL,
    trace TEXT,
    args TEXT
  );
  CREATE UNIQUE INDEX toolpact_calls_id ON toolpact_calls (tenant, id);
  CREATE UNIQUE INDEX toolpact_calls_key ON toolpact_calls (tenant, key) WHERE key IS NOT NULL;
  CREATE INDEX toolpact_calls_handle ON toolpact_calls (tenant, handle) WHERE handle IS NOT NULL;
  CREATE INDEX toolpact_calls_process ON toolpact_calls (process) WHERE stage = 'running';
  CREATE INDEX toolpact_calls_promised ON toolpact_calls (tool, process) WHERE stage = 'running' AND promised = 1;
  CREATE INDEX toolpact_calls_due ON toolpact_calls (tool, due_at) WHERE stage = 'waiting' AND due_at IS NOT NULL AND process IS NOT NULL;
  CREATE INDEX toolpact_calls_waiting ON toolpact_calls (tenant) WHERE stage = 'waiting';
  CREATE INDEX toolpact_calls_status ON toolpact_calls (tenant, status, begun_at);
  CREATE INDEX toolpact_calls_tool ON toolpact_calls (tenant, tool, status, begun_at);
  CREATE INDEX toolpact_calls_kind ON toolpact_calls (tenant, kind, status, begun_at) WHERE kind IS NOT NULL;
  CREATE INDEX toolpact_calls_tool_kind ON toolpact_calls (tenant, tool, kind, status, begun_at) WHERE kind IS NOT NULL;
  CREATE INDEX toolpact_calls_run ON toolpact_calls (tenant, run_id, begun_at) WHERE run_id IS NOT NULL;
  CREATE INDEX toolpact_calls_session ON toolpact_calls (tenant, session_id, begun_at) WHERE session_id IS NOT NULL;
  CREATE INDEX toolpact_calls_caller_key ON toolpact_calls (tenant, caller_key, begun_at) WHERE caller_key IS NOT NULL;
  CREATE INDEX toolpact_calls_replay ON toolpact_calls (tenant, replay_of, begun_at) WHERE replay_of IS NOT NULL;

  CREATE TABLE toolpact_steps (
    seq INTEGER PRIMARY KEY,
    call INTEGER NOT NULL,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    open INTEGER NOT NULL,
    sleeps_until NUMERIC,
    record TEXT,
    UNIQUE (call, id)
  );

  CREATE TABLE toolpact_questions (
    seq INTEGER PRIMARY KEY,
    call INTEGER NOT NULL,
    tenant TEXT NOT NULL,
    handle TEXT NOT NULL,
    id TEXT NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    asked_at NUMERIC NOT NULL,
    expires_at NUMERIC,
    decided_at NUMERIC,
    ask TEXT NOT NULL,
    answer TEXT,
    UNIQUE (call, id)
  );
  CREATE INDEX toolpact_questions_handle ON toolpact_questions (tenant, handle);
  CREATE INDEX toolpact_questions_open ON toolpact_questions (tenant, kind, seq) WHERE state = 'open';

  CREATE TABLE toolpact_grants (
    seq INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    id TEXT NOT NULL,
    tool TEXT NOT NULL,
    scope TEXT NOT NULL,
    given_at NUMERIC NOT NULL,
    expires_at NUMERIC NOT NULL,
    kept_until NUMERIC NOT NULL,
    most_uses NUMERIC,
    uses INTEGER NOT NULL DEFAULT 0,
    used_at NUMERIC,
    revoked_at NUMERIC,
    revoked_by TEXT,
    permit TEXT NOT NULL
  );
  CREATE UNIQUE INDEX toolpact_grants_id ON toolpact_grants (tenant, id);
  CREATE INDEX toolpact_grants_kept ON toolpact_grants (kept_until);
  CREATE INDEX toolpact_grants_tenant ON toolpact_grants (tenant, seq);
  CREATE INDEX toolpact_grants_scope ON toolpact_grants (tenant, tool, scope, seq);

  CREATE TABLE toolpact_outbox (
    seq INTEGER PRIMARY KEY,
    question INTEGER NOT NULL,
    recipient TEXT NOT NULL,
    event TEXT CHECK (event IN ('asked', 'closed')),
    due_at NUMERIC NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    trouble TEXT,
    UNIQUE (question, recipient)
  );
  CREATE INDEX toolpact_outbox_due ON toolpact_outbox (recipient, due_at) WHERE event IS NOT NULL;

  CREATE TABLE toolpact_processes (
    id TEXT PRIMARY KEY,
    lease_until NUMERIC NOT NULL
  ) WITHOUT ROWID;

  CREATE TRIGGER toolpact_calls_gone AFTER DELETE ON toolpact_calls
    BEGIN
      DELETE FROM toolpact_steps WHERE call = OLD.seq;
      DELETE FROM toolpact_outbox WHERE question IN (SELECT seq FROM toolpact_questions WHERE call = OLD.seq);
      DELETE FROM toolpact_questions WHERE call = OLD.seq;
    END;`;
