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
    "fingerprint" TEXT,
    "last_run_id" TEXT,
    "window" JSONB,
    "expected_effect" JSONB,
    "confidence" DOUBLE PRECISION,
    "severity" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "follow_up" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recommendations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "recommendations_listed" ON "recommendations"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "recommendations_of_run" ON "recommendations"("workspace_id", "forecast_run_id", "created_at" DESC, "id" DESC);

-- CreateIndex
-- Finds the recommendations of a kind and group that earlier runs made.
CREATE INDEX "recommendations_by_fingerprint" ON "recommendations"("workspace_id", "fingerprint");

-- Grants and row-level security
SELECT platform.protect('public.recommendations');
