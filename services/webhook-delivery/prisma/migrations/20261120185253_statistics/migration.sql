-- CreateTable
CREATE TABLE "attempt_hours" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "delivered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "latencies" INTEGER[],

    CONSTRAINT "attempt_hours_pkey" PRIMARY KEY ("webhook_id","hour")
);

-- CreateIndex
CREATE INDEX "attempt_hours_by_age" ON "attempt_hours"("hour");

-- Every batch of attempts rewrites the row of this hour.
ALTER TABLE "attempt_hours" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Who sees the rows
SELECT platform.protect('attempt_hours');
