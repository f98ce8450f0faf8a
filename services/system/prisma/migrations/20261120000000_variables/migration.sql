-- CreateTable
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

-- CreateIndex
CREATE INDEX "workspace_variables_listed" ON "workspace_variables"("workspace_id", "created_at" DESC, "name" DESC);

SELECT platform.protect('public.workspace_variables');
