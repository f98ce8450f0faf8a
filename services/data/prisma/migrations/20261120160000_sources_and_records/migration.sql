-- CreateTable
CREATE TABLE "data_sources" (
    "data_source_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "sync_mode" TEXT NOT NULL,
    "schedule" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "fields" JSONB NOT NULL DEFAULT '[]',
    "fields_anew" JSONB,
    "record_count" INTEGER NOT NULL DEFAULT 0,
    "last_sync_id" TEXT,
    "last_synced_at" TIMESTAMPTZ(3),
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_sources_pkey" PRIMARY KEY ("data_source_id"),
    CONSTRAINT "data_sources_counted" CHECK ("record_count" >= 0)
);

-- CreateTable
CREATE TABLE "data_records" (
    "record_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "data_source_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "title" TEXT,
    "url" TEXT,
    "text" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_records_pkey" PRIMARY KEY ("record_id")
);

-- CreateIndex
CREATE INDEX "data_sources_listed" ON "data_sources"("workspace_id", "created_at" DESC, "data_source_id" DESC);

-- CreateIndex
CREATE INDEX "data_sources_by_external_id" ON "data_sources"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "data_records_listed" ON "data_records"("data_source_id", "created_at", "record_id");

-- CreateIndex
CREATE UNIQUE INDEX "data_records_by_key" ON "data_records"("data_source_id", "key");

SELECT platform.protect('public.data_sources');
SELECT platform.protect('public.data_records');
