-- CreateTable
CREATE TABLE "audit_chains" (
    "workspace_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "audit_chains_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "audit_records" (
    "workspace_id" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "id" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "actor_id" TEXT NOT NULL,
    "actor_type" TEXT NOT NULL,
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

-- CreateTable
CREATE TABLE "audit_personal" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "salt" TEXT NOT NULL,
    "actor_name" TEXT,
    "ip" TEXT,
    "user_agent" TEXT,

    CONSTRAINT "audit_personal_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "audit_targets" (
    "workspace_id" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,

    CONSTRAINT "audit_targets_pkey" PRIMARY KEY ("workspace_id","target_id","id")
);

-- CreateIndex
CREATE INDEX "audit_records_listed" ON "audit_records"("workspace_id", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_records_by_actor" ON "audit_records"("workspace_id", "actor_id", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_records_by_action" ON "audit_records"("workspace_id", "action", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_records_by_outcome" ON "audit_records"("workspace_id", "outcome", "occurred_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "audit_records_workspace_id_id_key" ON "audit_records"("workspace_id", "id");

-- Who sees the rows
SELECT platform.protect('audit_chains');
SELECT platform.protect('audit_personal');
SELECT platform.protect('audit_records');
SELECT platform.protect('audit_targets');

-- What was recorded stays as it was recorded: requests and the consumer may add and read, nothing of the service may
-- change or remove. The end of a chain moves on, so that row alone may be written again.
REVOKE UPDATE, DELETE ON "audit_records", "audit_personal", "audit_targets" FROM wp_app, wp_worker;
REVOKE DELETE ON "audit_chains" FROM wp_app, wp_worker;
REVOKE INSERT ON "audit_chains", "audit_records", "audit_personal", "audit_targets" FROM wp_worker;
REVOKE UPDATE ON "audit_chains" FROM wp_worker;
