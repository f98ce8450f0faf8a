-- migrate: no-transaction
-- Whether anything waits that lies above the floor.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_unsettled" ON "deliveries" ("stream_at", "sequence") WHERE "status" = 'pending' AND "next_attempt_at" IS NULL;
