-- migrate: no-transaction
-- What waits for its turn, in the order of its events. One statement a migration: each may take long.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_waiting" ON "deliveries" ("webhook_id", "stream_at", "sequence", "request_id") WHERE "status" = 'pending' AND "next_attempt_at" IS NULL;
