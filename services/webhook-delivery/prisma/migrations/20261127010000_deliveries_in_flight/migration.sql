-- migrate: no-transaction
-- Counts the attempts of an endpoint in flight. Under load, thousands of entries of ended attempts remain until the next
-- vacuum; by the end of their leases they are not read.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_in_flight" ON "deliveries" ("webhook_id", "next_attempt_at") WHERE "lease_token" IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS "deliveries_leased";
