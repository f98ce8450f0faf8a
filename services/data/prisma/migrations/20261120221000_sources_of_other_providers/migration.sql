-- What a source is read through, when it is due next, why it could not be read, and how a running sync finds its fields.
ALTER TABLE "data_sources"
  ADD COLUMN "integration_id" TEXT,
  ADD COLUMN "next_sync_at" TIMESTAMPTZ(3),
  ADD COLUMN "last_error" JSONB,
  ADD COLUMN "fields_before" JSONB,
  ADD COLUMN "misfits" JSONB;

-- CreateIndex
CREATE INDEX "data_sources_by_integration" ON "data_sources"("workspace_id", "integration_id");

-- Of all workspaces: what the schedule looks for.
CREATE INDEX "data_sources_due" ON "data_sources"("next_sync_at") WHERE "next_sync_at" IS NOT NULL;
