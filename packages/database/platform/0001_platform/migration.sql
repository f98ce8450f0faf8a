-- The tables that every service has beside its own: events to publish (outbox), received (inbox), failed (dead_events)
-- and deferred; background jobs and calendar schedules; stored responses (idempotency); quotas and limits; deletions of
-- workspaces.
--
-- wp_app serves requests and sees one workspace at a time: the one in app.workspace_id.
-- wp_worker serves all workspaces: relay, claims, retention.
CREATE SCHEMA IF NOT EXISTS platform;
GRANT USAGE ON SCHEMA platform TO wp_app, wp_worker;
GRANT USAGE ON SCHEMA public TO wp_app, wp_worker;

-- Forced row-level security by workspace for tables, for wp_app; wp_worker passes. To be called by the migration that
-- creates tenant tables.
CREATE FUNCTION platform.protect(VARIADIC targets regclass[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE target regclass;
BEGIN
  FOREACH target IN ARRAY targets LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('CREATE POLICY tenant ON %s TO wp_app USING (workspace_id = current_setting(''app.workspace_id'', true))', target);
    EXECUTE format('CREATE POLICY worker ON %s TO wp_worker USING (true)', target);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO wp_app, wp_worker', target);
  END LOOP;
END $$;

-- For tables that belong to no workspace.
CREATE FUNCTION platform.share(VARIADIC targets regclass[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE target regclass;
BEGIN
  FOREACH target IN ARRAY targets LOOP
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %s TO wp_app, wp_worker', target);
  END LOOP;
END $$;

CREATE TABLE platform.outbox (
  position     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id           text NOT NULL UNIQUE,
  kind         text NOT NULL,
  workspace_id text NOT NULL,
  -- The cell in which the event is published: services that serve several shards keep the events of all in one outbox.
  -- Empty: the cell of the service itself.
  shard        text NOT NULL DEFAULT '',
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

-- The properties of a stream as the relay last saw them: the creation time, so that a lost storage is noticed; the broker
-- process that it last published to, so that a restart is.
CREATE TABLE platform.streams (
  name       text PRIMARY KEY,
  created_at timestamptz NOT NULL,
  server_id  text NOT NULL
);
SELECT platform.share('platform.streams');

CREATE TABLE platform.inbox (
  consumer    text NOT NULL,
  event_id    text NOT NULL,
  received_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received ON platform.inbox (received_at);
SELECT platform.share('platform.inbox');

-- A row is added by the first failed attempt of a consumer at an event, so that the number of attempts survives a move
-- to another replica. The event is dead once died_at is set; an attempt that succeeds removes the row.
CREATE TABLE platform.dead_events (
  consumer     text NOT NULL,
  event_id     text NOT NULL,
  workspace_id text NOT NULL,
  -- The event, or the text of a message that is not a valid event.
  content      jsonb NOT NULL,
  sequence     bigint,
  -- Subject of the message on the broker; null if unknown. Permissions bind producers to subjects, so a consumer that must
  -- know the producer needs it again when the event is put back.
  subject      text,
  failures     integer NOT NULL,
  error        text NOT NULL,
  failed_at    timestamptz(3) NOT NULL DEFAULT now(),
  died_at      timestamptz(3),
  -- Time from which the consumer handles an event that events:redrive put back; null if it was not put back, or has died
  -- once more.
  redrive_at   timestamptz(3),
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX dead_events_redriven ON platform.dead_events (consumer, redrive_at) WHERE redrive_at IS NOT NULL;
SELECT platform.protect('platform.dead_events');

-- Events that a consumer has taken from the broker and handles later, because their workspace has its share of the
-- events in progress: so they occupy no place among those that the broker has handed out.
CREATE TABLE platform.deferred_events (
  consumer          text NOT NULL,
  event_id          text NOT NULL,
  workspace_id      text NOT NULL,
  event             jsonb NOT NULL,
  stream_created_at timestamptz NOT NULL,
  sequence          bigint NOT NULL,
  subject           text,
  -- Until then a replica handles it, or it waits for another attempt.
  leased_until      timestamptz(3) NOT NULL DEFAULT '-infinity',
  PRIMARY KEY (consumer, event_id)
);
CREATE INDEX deferred_events_ordered
  ON platform.deferred_events (consumer, workspace_id, stream_created_at, sequence);
SELECT platform.protect('platform.deferred_events');

CREATE TABLE platform.jobs (
  id           text PRIMARY KEY,
  queue        text NOT NULL,
  workspace_id text NOT NULL,
  -- The object that the job is about, for lists ("the syncs of this source").
  subject      text,
  -- While a job with this value is queued or running, a second one of the queue is refused.
  exclusive    text,
  state        text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'finished', 'failed', 'cancelled')),
  input        jsonb NOT NULL,
  -- Who asked, as a Caller; null for schedules.
  caller       jsonb,
  progress     real NOT NULL DEFAULT 0,
  -- Facts known while it runs, for example counts or a cursor.
  detail       jsonb NOT NULL DEFAULT '{}',
  result       jsonb,
  error        jsonb,
  metadata     jsonb NOT NULL DEFAULT '{}',
  external_id  text,
  run_at       timestamptz(3) NOT NULL DEFAULT now(),
  lease_token  text,
  lease_until  timestamptz(3),
  lost_leases  integer NOT NULL DEFAULT 0,
  -- The value of lost_leases at the last checkpoint: the leases lost since then are the difference.
  lost_before  integer NOT NULL DEFAULT 0,
  -- Attempts that ended in a retryable failure; leases lost and hand-backs are not among them.
  failures     integer NOT NULL DEFAULT 0,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  started_at   timestamptz(3),
  finished_at  timestamptz(3)
);
CREATE INDEX jobs_due ON platform.jobs (queue, run_at) WHERE state = 'queued';
-- The workspaces with queued jobs, and the due jobs of each in queue order, without reading the jobs of others.
CREATE INDEX jobs_due_by_workspace ON platform.jobs (queue, workspace_id, run_at, id) WHERE state = 'queued';
CREATE INDEX jobs_leased ON platform.jobs (queue, lease_until) WHERE state = 'running';
CREATE INDEX jobs_listed ON platform.jobs (workspace_id, queue, created_at DESC, id DESC);
CREATE INDEX jobs_by_subject ON platform.jobs (workspace_id, queue, subject, created_at DESC, id DESC);
CREATE UNIQUE INDEX jobs_exclusive ON platform.jobs (queue, exclusive) WHERE state IN ('queued', 'running');
SELECT platform.protect('platform.jobs');

-- When a workspace was last given a job of a queue: claims go to the workspace that was served least recently, in every
-- replica and after restarts. A workspace without a row has not been served for at least the retention of these rows.
CREATE TABLE platform.job_turns (
  queue        text NOT NULL,
  workspace_id text NOT NULL,
  served_at    timestamptz NOT NULL,
  PRIMARY KEY (queue, workspace_id)
);
CREATE INDEX job_turns_served ON platform.job_turns (served_at);
SELECT platform.protect('platform.job_turns');

-- Calendar schedules: at a local time, a job of the queue for the resource, once for each local date.
CREATE TABLE platform.schedules (
  workspace_id text NOT NULL,
  queue        text NOT NULL,
  -- The object that the schedule belongs to; the subject of its jobs.
  resource_id  text NOT NULL,
  local_time   text NOT NULL CHECK (local_time ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  -- IANA time zone.
  timezone     text NOT NULL,
  -- Null: all.
  weekdays     text[] CHECK (weekdays <> '{}' AND weekdays <@ '{mon,tue,wed,thu,fri,sat,sun}'),
  -- The next run and its local date; null while the schedule is paused.
  next_at      timestamptz(3),
  next_date    date,
  -- The local date of the last run. Runs of this date and those before are never repeated.
  last_date    date,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  updated_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (workspace_id, queue, resource_id),
  CHECK ((next_at IS NULL) = (next_date IS NULL) AND next_date > last_date)
);
CREATE INDEX schedules_due ON platform.schedules (next_at, queue, workspace_id) WHERE next_at IS NOT NULL;
CREATE INDEX schedules_due_by_workspace ON platform.schedules (workspace_id, next_at) WHERE next_at IS NOT NULL;
SELECT platform.protect('platform.schedules');

CREATE TABLE platform.idempotency (
  principal_id text NOT NULL,
  workspace_id text NOT NULL,
  route        text NOT NULL,
  key          text NOT NULL,
  fingerprint  text NOT NULL,
  -- The result of the operation, or the error it was refused with: JSON as text, because a replay must equal the first
  -- response, and jsonb would change the order of its keys.
  response     text NOT NULL,
  created_at   timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (principal_id, workspace_id, route, key)
);
CREATE INDEX idempotency_created ON platform.idempotency (created_at);
SELECT platform.protect('platform.idempotency');

-- The limits of single workspaces, or users, where they differ from the defaults of packages/contracts. Requests read
-- them; only operators and billing, with the worker role, write them.
CREATE TABLE platform.quota_limits (
  -- A workspace; a user for a quota of users.
  subject    text NOT NULL,
  quota      text NOT NULL,
  maximum    bigint NOT NULL CHECK (maximum >= 0),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (subject, quota)
);
ALTER TABLE platform.quota_limits ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform.quota_limits FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON platform.quota_limits FOR SELECT TO wp_app
  USING (subject IN (current_setting('app.workspace_id', true), current_setting('app.user_id', true)));
CREATE POLICY worker ON platform.quota_limits TO wp_worker USING (true);
GRANT SELECT ON platform.quota_limits TO wp_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON platform.quota_limits TO wp_worker;

-- The use of quotas that count within a day. Everything else is counted where it is stored.
CREATE TABLE platform.quota_usage (
  workspace_id text NOT NULL,
  quota        text NOT NULL,
  day          date NOT NULL,
  used         bigint NOT NULL,
  PRIMARY KEY (workspace_id, quota, day)
);
SELECT platform.protect('platform.quota_usage');

-- The limits that the plan of a workspace sets, as billing last sent them. A workspace without a row has the defaults of
-- packages/contracts; a limit in platform.quota_limits, which operators set, takes precedence.
CREATE TABLE platform.plan_limits (
  workspace_id          text PRIMARY KEY,
  plan                  text NOT NULL,
  -- Increases with each change; limits with a lower version are out of date.
  version               integer NOT NULL,
  credential_per_minute integer NOT NULL,
  -- Requests a minute, by service.
  workspace_per_minute  jsonb NOT NULL,
  -- Limits by name of the quota, where the plan differs from the default.
  quotas                jsonb NOT NULL,
  audit_retention_days  integer NOT NULL,
  updated_at            timestamptz(3) NOT NULL DEFAULT now()
);
SELECT platform.protect('platform.plan_limits');

-- The meters whose included use is exhausted, as billing reports them. Requests that would use more read them.
CREATE TABLE platform.meter_limits (
  workspace_id text NOT NULL,
  meter        text NOT NULL,
  exhausted    boolean NOT NULL,
  -- The limit lifts itself at this time.
  period_end   timestamptz(3) NOT NULL,
  -- That of the event; an event with a lower version is out of date.
  version      integer NOT NULL,
  PRIMARY KEY (workspace_id, meter)
);
SELECT platform.protect('platform.meter_limits');

-- The deletion of one workspace's rows from this database: one row for each deletion, which says how far it has come. Each
-- step deletes a limited number of rows and moves `run_at` behind those of the other workspaces.
CREATE TABLE platform.workspace_data_deletions (
  deletion_id  text PRIMARY KEY,
  workspace_id text NOT NULL,
  -- The cell of the workspace, where the end of the deletion is reported.
  shard        text NOT NULL,
  run_at       timestamptz(3) NOT NULL DEFAULT now(),
  -- Until then, requests and jobs that began before the deletion may still add rows.
  settles_at   timestamptz(3) NOT NULL,
  -- {isFinalPass, table, block, deletedInPass}: where the next step begins.
  position     jsonb NOT NULL DEFAULT '{}',
  -- Numbers of deleted rows by table.
  deleted      jsonb NOT NULL DEFAULT '{}',
  started_at   timestamptz(3) NOT NULL DEFAULT now(),
  finished_at  timestamptz(3)
);
CREATE INDEX workspace_data_deletions_due ON platform.workspace_data_deletions (run_at) WHERE finished_at IS NULL;
CREATE INDEX workspace_data_deletions_finished ON platform.workspace_data_deletions (finished_at) WHERE finished_at IS NOT NULL;
SELECT platform.protect('platform.workspace_data_deletions');
