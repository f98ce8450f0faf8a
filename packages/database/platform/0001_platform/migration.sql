-- The tables every service has beside its own: what happened (outbox), what was seen (inbox), what could not be
-- handled (dead_events), what takes long (jobs), what was answered (idempotency).
--
-- wp_app serves requests and sees one workspace at a time: the one in app.workspace_id.
-- wp_worker serves all workspaces: relay, claims, retention.
CREATE SCHEMA IF NOT EXISTS platform;
GRANT USAGE ON SCHEMA platform TO wp_app, wp_worker;
GRANT USAGE ON SCHEMA public TO wp_app, wp_worker;

-- Forced row-level security by workspace for one table, for wp_app; wp_worker passes. To be called by the migration
-- that creates a tenant table.
CREATE FUNCTION platform.protect(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format('CREATE POLICY tenant ON %s TO wp_app USING (workspace_id = current_setting(''app.workspace_id'', true))', target);
  EXECUTE format('CREATE POLICY worker ON %s TO wp_worker USING (true)', target);
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO wp_app, wp_worker', target);
END $$;

-- For a table that belongs to no workspace.
CREATE FUNCTION platform.share(target regclass) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO wp_app, wp_worker', target);
END $$;

CREATE TABLE platform.outbox (
  position     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id           text NOT NULL UNIQUE,
  kind         text NOT NULL,
  workspace_id text NOT NULL,
  occurred_at  timestamptz(3) NOT NULL,
  actor        jsonb NOT NULL,
  request_id   text NOT NULL,
  traceparent  text,
  data         jsonb NOT NULL,
  published_at timestamptz(3)
);
CREATE INDEX outbox_unpublished ON platform.outbox (position) WHERE published_at IS NULL;
CREATE INDEX outbox_published ON platform.outbox (published_at) WHERE published_at IS NOT NULL;
GRANT INSERT ON platform.outbox TO wp_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON platform.outbox TO wp_worker;

CREATE TABLE platform.inbox (
  consumer    text NOT NULL,
  event_id    text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received ON platform.inbox (received_at);
SELECT platform.share('platform.inbox');

-- A row from the first failed try of an event by a consumer: so the count survives the move to another replica. The
-- event is dead once died_at is set; a try that succeeds removes the row.
CREATE TABLE platform.dead_events (
  consumer     text NOT NULL,
  event_id     text NOT NULL,
  workspace_id text NOT NULL,
  event        jsonb NOT NULL,
  sequence     bigint,
  tries        integer NOT NULL,
  error        text NOT NULL,
  failed_at    timestamptz(3) NOT NULL DEFAULT now(),
  died_at      timestamptz(3),
  -- Put back by events:redrive: when the consumer takes it up (again) from here; cleared when it dies once more.
  redrive_at   timestamptz(3),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX dead_events_redriven ON platform.dead_events (consumer, redrive_at) WHERE redrive_at IS NOT NULL;
SELECT platform.protect('platform.dead_events');

CREATE TABLE platform.jobs (
  id           text PRIMARY KEY,
  queue        text NOT NULL,
  workspace_id text NOT NULL,
  -- What the job is about, for lists ("the syncs of this source").
  subject      text,
  -- While a job that names it is queued or running, a second one of the queue is refused.
  exclusive    text,
  state        text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'finished', 'failed', 'cancelled')),
  input        jsonb NOT NULL,
  -- Who asked, as a Caller; null for schedules.
  caller       jsonb,
  progress     real NOT NULL DEFAULT 0,
  -- What is known while it runs, for example counts or a cursor.
  detail       jsonb NOT NULL DEFAULT '{}',
  result       jsonb,
  error        jsonb,
  metadata     jsonb NOT NULL DEFAULT '{}',
  external_id  text,
  run_at       timestamptz(3) NOT NULL DEFAULT now(),
  lease_token  text,
  lease_until  timestamptz(3),
  lost_leases  integer NOT NULL DEFAULT 0,
  -- Tries that ended in a retryable failure; leases lost and hand-backs are not among them.
  failures     integer NOT NULL DEFAULT 0,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  started_at   timestamptz(3),
  finished_at  timestamptz(3)
);
CREATE INDEX jobs_due ON platform.jobs (queue, run_at) WHERE state = 'queued';
CREATE INDEX jobs_leased ON platform.jobs (queue, lease_until) WHERE state = 'running';
CREATE INDEX jobs_listed ON platform.jobs (workspace_id, queue, created_at DESC, id DESC);
CREATE INDEX jobs_by_subject ON platform.jobs (workspace_id, queue, subject, created_at DESC, id DESC);
CREATE UNIQUE INDEX jobs_exclusive ON platform.jobs (queue, exclusive) WHERE state IN ('queued', 'running');
SELECT platform.protect('platform.jobs');

CREATE TABLE platform.idempotency (
  principal_id text NOT NULL,
  workspace_id text NOT NULL,
  route        text NOT NULL,
  key          text NOT NULL,
  fingerprint  text NOT NULL,
  -- The result of the operation, or the error it was refused with: JSON as text, because a replay shall equal the
  -- first answer, and jsonb would change the order of its keys.
  answer       text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (principal_id, workspace_id, route, key)
);
CREATE INDEX idempotency_created ON platform.idempotency (created_at);
SELECT platform.protect('platform.idempotency');

-- What the relay knows of its stream: when it was made, so that a lost storage is noticed; which broker process it
-- last published to, so that one started anew is.
CREATE TABLE platform.streams (
  name       text PRIMARY KEY,
  created_at timestamptz NOT NULL,
  server_id  text NOT NULL
);
SELECT platform.share('platform.streams');
