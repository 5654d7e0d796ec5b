import type { PostgresNames } from '../postgres-schema.ts';

/**
 * Creates the tables of calls. Names are columns that an index holds: those which are too long for that are there as hashes, and whole in
 * `long_names`. Documents are `json`, not `jsonb`, which refuses a NUL and changes numbers and the order of keys; those that readers take apart are
 * objects, also after an edit by hand: one that is not would hide all calls of its tenant. docs/tables.md says what each column is.
 */
export const callTables = ({ calls, steps, questions, grants, outbox, processes, dropCalls, index }: PostgresNames): string => `
  CREATE TABLE ${processes} (id text PRIMARY KEY, lease_until timestamptz NOT NULL);
  CREATE TABLE ${calls} (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    id text NOT NULL,
    tool text NOT NULL,
    stage text NOT NULL CHECK (stage IN ('running', 'waiting', 'ended')),
    epoch integer NOT NULL,
    process text,
    status text NOT NULL,
    kind text,
    promised boolean NOT NULL,
    cancelled boolean NOT NULL DEFAULT false,
    changes integer NOT NULL DEFAULT 0,
    guess_about integer,
    keeps_steps boolean NOT NULL DEFAULT true,
    begun_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    run_at timestamptz,
    wake_at timestamptz,
    woken_at timestamptz,
    ended_at timestamptz,
    kept_until timestamptz NOT NULL,
    keep_ms double precision NOT NULL,
    remaining_ms double precision,
    key text,
    key_until timestamptz,
    key_counts_ms double precision,
    handle text,
    run_id text,
    session_id text,
    caller_key text,
    replay_of text,
    origin text NOT NULL,
    replaced_by text,
    cancelled_by text,
    grant_id text,
    long_names jsonb,
    listed json NOT NULL CHECK (json_typeof(listed) = 'object'),
    start json NOT NULL CHECK (json_typeof(start) = 'object'),
    args json,
    outcome json CHECK (json_typeof(outcome) = 'object'),
    trace json,
    progress json CHECK (json_typeof(progress) = 'object')
  );
  CREATE UNIQUE INDEX ${index('calls_id')} ON ${calls} (tenant, id);
  CREATE UNIQUE INDEX ${index('calls_key')} ON ${calls} (tenant, key) WHERE key IS NOT NULL;
  CREATE INDEX ${index('calls_handle')} ON ${calls} (tenant, handle) WHERE handle IS NOT NULL;
  CREATE INDEX ${index('calls_due')} ON ${calls} (LEAST(wake_at, woken_at)) WHERE stage = 'waiting' AND process IS NOT NULL;
  CREATE INDEX ${index('calls_waiting')} ON ${calls} (tenant) WHERE stage = 'waiting';
  CREATE INDEX ${index('calls_running')} ON ${calls} (process) WHERE stage = 'running' AND process IS NOT NULL;
  CREATE INDEX ${index('calls_kept')} ON ${calls} (kept_until) WHERE stage = 'ended' OR (stage = 'running' AND NOT promised);
  CREATE INDEX ${index('calls_status')} ON ${calls} (tenant, status, begun_at, seq);
  CREATE INDEX ${index('calls_tool')} ON ${calls} (tenant, tool, status, begun_at, seq);
  CREATE INDEX ${index('calls_kind')} ON ${calls} (tenant, kind, begun_at, seq) WHERE kind IS NOT NULL;
  CREATE INDEX ${index('calls_tool_kind')} ON ${calls} (tenant, tool, kind, begun_at, seq) WHERE kind IS NOT NULL;
  CREATE INDEX ${index('calls_run')} ON ${calls} (tenant, run_id, begun_at, seq) WHERE run_id IS NOT NULL;
  CREATE INDEX ${index('calls_session')} ON ${calls} (tenant, session_id, begun_at, seq) WHERE session_id IS NOT NULL;
  CREATE INDEX ${index('calls_caller_key')} ON ${calls} (tenant, caller_key, begun_at, seq) WHERE caller_key IS NOT NULL;
  CREATE INDEX ${index('calls_replay')} ON ${calls} (tenant, replay_of, begun_at, seq) WHERE replay_of IS NOT NULL;
  CREATE TABLE ${steps} (
    call bigint NOT NULL,
    id text NOT NULL,
    seq bigint GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    attempt integer NOT NULL,
    epoch integer NOT NULL,
    open boolean NOT NULL,
    sleeps_until timestamptz,
    long_names jsonb,
    record json,
    PRIMARY KEY (call, id)
  );
  CREATE TABLE ${questions} (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    call bigint NOT NULL,
    tenant text NOT NULL,
    handle text NOT NULL,
    kind text NOT NULL CHECK (kind IN ('approval', 'input')),
    id text NOT NULL,
    state text NOT NULL CHECK (state IN ('open', 'approved', 'denied', 'answered', 'withdrawn')),
    asked_at timestamptz NOT NULL,
    expires_at timestamptz,
    decided_at timestamptz,
    long_names jsonb,
    ask json NOT NULL CHECK (json_typeof(ask) = 'object'),
    answer json
  );
  CREATE UNIQUE INDEX ${index('questions_id')} ON ${questions} (call, id);
  CREATE INDEX ${index('questions_handle')} ON ${questions} (tenant, handle);
  CREATE INDEX ${index('questions_open')} ON ${questions} (tenant, kind, seq) WHERE state = 'open';
  CREATE TABLE ${grants} (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tenant text NOT NULL,
    id text NOT NULL,
    tool text NOT NULL,
    scope text NOT NULL,
    given_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    kept_until timestamptz NOT NULL,
    most_uses double precision,
    uses integer NOT NULL DEFAULT 0,
    used_at timestamptz,
    revoked_at timestamptz,
    revoked_by text,
    long_names jsonb,
    permit json NOT NULL CHECK (json_typeof(permit) = 'object')
  );
  CREATE UNIQUE INDEX ${index('grants_id')} ON ${grants} (tenant, id);
  CREATE INDEX ${index('grants_scope')} ON ${grants} (tenant, tool, scope, seq);
  CREATE INDEX ${index('grants_kept')} ON ${grants} (kept_until);
  CREATE TABLE ${outbox} (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    question bigint NOT NULL,
    recipient text NOT NULL,
    event text CHECK (event IN ('asked', 'closed')),
    due_at timestamptz NOT NULL,
    attempts integer NOT NULL DEFAULT 0,
    trouble text
  );
  CREATE UNIQUE INDEX ${index('outbox_question')} ON ${outbox} (question, recipient);
  CREATE INDEX ${index('outbox_due')} ON ${outbox} (recipient, due_at) WHERE event IS NOT NULL;
  -- Whoever deletes a call takes along what hangs on it. Foreign keys would look at the call with each step.
  CREATE FUNCTION ${dropCalls}() RETURNS trigger LANGUAGE plpgsql AS $toolpact$
    BEGIN
      DELETE FROM ${steps} AS s USING gone WHERE s.call = gone.seq;
      DELETE FROM ${outbox} AS o USING ${questions} AS q, gone WHERE o.question = q.seq AND q.call = gone.seq;
      DELETE FROM ${questions} AS q USING gone WHERE q.call = gone.seq;
      RETURN NULL;
    END $toolpact$;
  CREATE TRIGGER ${index('calls_gone')} AFTER DELETE ON ${calls} REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION ${dropCalls}();`;
