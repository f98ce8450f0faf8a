-- CreateTable
CREATE TABLE "workspace_deletions" (
    "deletion_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'scheduled',
    "receipt_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_deletions_pkey" PRIMARY KEY ("deletion_id")
);

-- CreateTable
CREATE TABLE "workspace_deletion_reports" (
    "deletion_id" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "deleted" JSONB NOT NULL,
    "retained" JSONB NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_deletion_reports_pkey" PRIMARY KEY ("deletion_id","service")
);

-- CreateIndex
CREATE INDEX "workspace_deletions_of_user" ON "workspace_deletions"("requested_by", "workspace_id", "created_at" DESC);

-- CreateIndex
CREATE INDEX "workspace_deletions_by_status" ON "workspace_deletions"("status", "starts_at");

-- AddForeignKey
ALTER TABLE "workspace_deletion_reports" ADD CONSTRAINT "workspace_deletion_reports_deletion_id_fkey" FOREIGN KEY ("deletion_id") REFERENCES "workspace_deletions"("deletion_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- At most one deletion of a workspace is under way.
CREATE UNIQUE INDEX "workspace_deletions_open" ON "workspace_deletions"("workspace_id") WHERE "status" IN ('scheduled', 'running');

-- Grants and row-level security
SELECT platform.protect('workspace_deletions');
SELECT platform.protect('workspace_deletion_reports');
