CREATE TABLE "workspace_variables" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" TEXT,
    "sealed" TEXT,
    "secret" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_variables_pkey" PRIMARY KEY ("workspace_id","name")
);
CREATE INDEX "workspace_variables_listed" ON "workspace_variables"("workspace_id", "created_at" DESC, "name" DESC);

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
CREATE INDEX "workspace_variable_versions_by_age" ON "workspace_variable_versions"("workspace_id", "changed_at" DESC, "name" DESC, "version" DESC);

-- Grants and row-level security
SELECT platform.protect('workspace_variables', 'workspace_variable_versions');
