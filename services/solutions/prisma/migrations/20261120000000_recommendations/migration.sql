-- CreateTable
CREATE TABLE "recommendations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "forecast_run_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" JSONB NOT NULL,
    "title" TEXT NOT NULL,
    "rationale" TEXT NOT NULL,
    "figures" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recommendations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "recommendations_listed" ON "recommendations"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "recommendations_of_run" ON "recommendations"("workspace_id", "forecast_run_id", "created_at" DESC, "id" DESC);

SELECT platform.protect('public.recommendations');
