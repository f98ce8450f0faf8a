CREATE TABLE "audit_chains" (
    "workspace_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "audit_records" (
    "workspace_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
    "actor_client_id" TEXT,
    "actor_session_id" TEXT,
    "targets" JSONB NOT NULL,
    "request_id" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "changes" JSONB,
    "personal_hash" TEXT NOT NULL,
    "prev_hash" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_records_pkey" PRIMARY KEY ("workspace_id","seq")
);
CREATE INDEX "audit_records_listed" ON "audit_records"("workspace_id", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_by_actor" ON "audit_records"("workspace_id", "actor_id", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_by_action" ON "audit_records"("workspace_id", "action", "occurred_at" DESC, "id" DESC);
CREATE INDEX "audit_records_by_outcome" ON "audit_records"("workspace_id", "outcome", "occurred_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "audit_records_workspace_id_id_key" ON "audit_records"("workspace_id", "id");

CREATE TABLE "audit_personal_data" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "actor_name" TEXT,
    "ip" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "audit_personal_data_pkey" PRIMARY KEY ("workspace_id","id")
);

CREATE TABLE "audit_targets" (
    "workspace_id" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "audit_targets_pkey" PRIMARY KEY ("workspace_id","target_id","id")
);

CREATE TABLE "audit_anchors" (
    "workspace_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "cut_at" TIMESTAMPTZ(3) NOT NULL,
    "token" TEXT NOT NULL,

    CONSTRAINT "audit_anchors_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "audit_retention" (
    "workspace_id" TEXT NOT NULL,
    "days" INTEGER NOT NULL CONSTRAINT "audit_retention_days" CHECK ("days" BETWEEN 1 AND 36500),
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_retention_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "audit_exports" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "audit_exports_pkey" PRIMARY KEY ("workspace_id","id")
);
CREATE INDEX "audit_exports_expired" ON "audit_exports"("expires_at");

CREATE TABLE "audit_export_parts" (
    "workspace_id" TEXT NOT NULL,
    "export_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "audit_export_parts_pkey" PRIMARY KEY ("workspace_id","export_id","position"),
    CONSTRAINT "audit_export_parts_workspace_id_export_id_fkey" FOREIGN KEY ("workspace_id", "export_id") REFERENCES "audit_exports"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "request_entries" (
    "workspace_id" TEXT NOT NULL,
    "is_user" BOOLEAN NOT NULL,
    "slot" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "endpoint" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "code" TEXT,
    "duration_ms" INTEGER NOT NULL,
    "principal_id" TEXT NOT NULL,
    "principal_type" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,

    CONSTRAINT "request_entries_pkey" PRIMARY KEY ("workspace_id","is_user","slot")
);
CREATE INDEX "request_entries_listed" ON "request_entries"("workspace_id", "occurred_at" DESC, "id" DESC);
CREATE INDEX "request_entries_expired" ON "request_entries"("occurred_at");

CREATE TABLE "request_rings" (
    "workspace_id" TEXT NOT NULL,
    "is_user" BOOLEAN NOT NULL,
    "written" BIGINT NOT NULL,

    CONSTRAINT "request_rings_pkey" PRIMARY KEY ("workspace_id","is_user")
);

CREATE TABLE "request_days" (
    "workspace_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "principal_id" TEXT NOT NULL,
    "principal_type" TEXT NOT NULL,
    "requests" INTEGER NOT NULL,
    "client_errors" INTEGER NOT NULL,
    "server_errors" INTEGER NOT NULL,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "request_days_pkey" PRIMARY KEY ("workspace_id","credential_id","date")
);
CREATE INDEX "request_days_listed" ON "request_days"("workspace_id", "last_used_at" DESC, "credential_id" DESC);
CREATE INDEX "request_days_expired" ON "request_days"("last_used_at");

-- Grants and row-level security
SELECT platform.protect(
  'audit_chains', 'audit_records', 'audit_personal_data', 'audit_targets', 'audit_anchors', 'audit_retention',
  'audit_exports', 'audit_export_parts', 'request_entries', 'request_rings', 'request_days'
);

-- Records are immutable: requests and the consumer add and read them, and the service cannot change or delete them. Only
-- the row with the end of a chain is updated.
REVOKE UPDATE, DELETE ON "audit_records", "audit_personal_data", "audit_targets" FROM wp_app, wp_worker;
REVOKE DELETE ON "audit_chains" FROM wp_app, wp_worker;
REVOKE INSERT ON "audit_chains", "audit_records", "audit_personal_data", "audit_targets" FROM wp_worker;
REVOKE UPDATE ON "audit_chains" FROM wp_worker;

-- The service reads anchors only: a cut needs the role wp_audit_retention. It may store how long a plan keeps records.
REVOKE INSERT, UPDATE, DELETE ON "audit_anchors" FROM wp_app, wp_worker;
REVOKE INSERT, UPDATE, DELETE ON "audit_retention" FROM wp_worker;
REVOKE DELETE ON "audit_retention" FROM wp_app;

-- The parts of an export are immutable. The worker deletes them after the expiry of the export.
REVOKE UPDATE ON "audit_export_parts" FROM wp_app, wp_worker;
REVOKE DELETE ON "audit_exports", "audit_export_parts" FROM wp_app;
REVOKE INSERT ON "audit_exports", "audit_export_parts" FROM wp_worker;

-- The worker alone writes the request log, from the reports of the edge. Requests read it.
REVOKE INSERT, UPDATE, DELETE ON "request_entries", "request_rings", "request_days" FROM wp_app;

-- wp_audit_retention, which only the command of operators uses: cuts the beginning of chains. It can neither add nor
-- change a record.
GRANT USAGE ON SCHEMA public, platform TO wp_audit_retention;
CREATE POLICY retention ON "audit_chains" FOR SELECT TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_records" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_personal_data" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_targets" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_anchors" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_retention" TO wp_audit_retention USING (true);
GRANT SELECT ON "audit_chains" TO wp_audit_retention;
GRANT SELECT, DELETE ON "audit_records", "audit_personal_data", "audit_targets" TO wp_audit_retention;
GRANT SELECT, INSERT, UPDATE ON "audit_anchors", "audit_retention" TO wp_audit_retention;
-- The retention of the plan of a workspace.
CREATE POLICY retention ON platform.plan_limits FOR SELECT TO wp_audit_retention USING (true);
GRANT SELECT ON platform.plan_limits TO wp_audit_retention;
-- The audit record of the cut itself, which the relay publishes.
GRANT INSERT ON platform.outbox TO wp_audit_retention;

-- wp_audit_erasure, which only the command of operators uses: erases the personal data of one person. It cannot read
-- them, and can neither add, change nor delete a record.
GRANT USAGE ON SCHEMA public, platform TO wp_audit_erasure;
CREATE POLICY erasure ON "audit_records" FOR SELECT TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON "audit_personal_data" TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON "audit_exports" TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON platform.jobs FOR SELECT TO wp_audit_erasure USING (true);
CREATE POLICY erasure ON platform.dead_events TO wp_audit_erasure USING (true);
GRANT SELECT ("workspace_id", "seq", "id", "occurred_at", "actor_id") ON "audit_records" TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "id"), DELETE ON "audit_personal_data" TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "id"), DELETE ON "audit_exports" TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "id", "state", "result") ON platform.jobs TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "content"), UPDATE ("content") ON platform.dead_events TO wp_audit_erasure;
GRANT SELECT ("workspace_id", "actor", "data"), UPDATE ("data"), INSERT ON platform.outbox TO wp_audit_erasure;
