-- CreateTable
CREATE TABLE "audit_anchors" (
    "workspace_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "cut_at" TIMESTAMPTZ(3) NOT NULL,
    "token" TEXT NOT NULL,

    CONSTRAINT "audit_anchors_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "audit_retention" (
    "workspace_id" TEXT NOT NULL,
    "days" INTEGER NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_retention_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "audit_retention_days" CHECK ("days" BETWEEN 1 AND 36500)
);

-- Who sees the rows
SELECT platform.protect('audit_anchors');
SELECT platform.protect('audit_retention');

-- The service reads anchors only: a cut needs the role below. It may store how long a plan keeps records.
REVOKE INSERT, UPDATE, DELETE ON "audit_anchors" FROM wp_app, wp_worker;
REVOKE INSERT, UPDATE, DELETE ON "audit_retention" FROM wp_worker;
REVOKE DELETE ON "audit_retention" FROM wp_app;

-- wp_audit_retention, which only the command of operators uses: cuts the beginning of chains. It can neither add nor
-- change a record.
GRANT USAGE ON SCHEMA public, platform TO wp_audit_retention;
CREATE POLICY retention ON "audit_chains" FOR SELECT TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_records" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_personal" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_targets" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_anchors" TO wp_audit_retention USING (true);
CREATE POLICY retention ON "audit_retention" TO wp_audit_retention USING (true);
GRANT SELECT ON "audit_chains" TO wp_audit_retention;
GRANT SELECT, DELETE ON "audit_records", "audit_personal", "audit_targets" TO wp_audit_retention;
GRANT SELECT, INSERT, UPDATE ON "audit_anchors", "audit_retention" TO wp_audit_retention;
-- The audit record of the cut itself, which the relay publishes.
GRANT INSERT ON platform.outbox TO wp_audit_retention;
