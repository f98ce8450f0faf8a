CREATE TABLE "integrations" (
    "integration_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "secrets" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending' CHECK ("status" IN ('pending', 'connected', 'error', 'disconnected')),
    "last_error" JSONB,
    "last_checked_at" TIMESTAMPTZ(3),
    "revision" INTEGER NOT NULL DEFAULT 1,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integrations_pkey" PRIMARY KEY ("integration_id")
);
CREATE INDEX "integrations_listed" ON "integrations"("workspace_id", "created_at" DESC, "integration_id" DESC);

CREATE TABLE "integration_uses" (
    "integration_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "integration_uses_pkey" PRIMARY KEY ("integration_id","service","type","id"),
    CONSTRAINT "integration_uses_integration_id_fkey" FOREIGN KEY ("integration_id") REFERENCES "integrations"("integration_id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- Grants and row-level security
SELECT platform.protect('integrations', 'integration_uses');
