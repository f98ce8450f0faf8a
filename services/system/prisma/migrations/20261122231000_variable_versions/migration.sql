-- CreateTable
CREATE TABLE "workspace_variable_versions" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "action" TEXT NOT NULL,
    "value" TEXT,
    "secret" BOOLEAN NOT NULL,
    "changed_by" TEXT,
    "changed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_variable_versions_pkey" PRIMARY KEY ("workspace_id","name","version")
);

-- CreateIndex
CREATE INDEX "workspace_variable_versions_by_age" ON "workspace_variable_versions"("workspace_id", "changed_at" DESC, "name" DESC, "version" DESC);

-- Grants and row-level security
SELECT platform.protect('workspace_variable_versions');

-- The variables set before versions were kept. Who set them is unknown.
INSERT INTO "workspace_variable_versions" ("workspace_id", "name", "version", "action", "value", "secret", "changed_at")
SELECT "workspace_id", "name", 1, 'set', CASE WHEN NOT "secret" THEN "value" END, "secret", "updated_at" FROM "workspace_variables"
ON CONFLICT DO NOTHING;
