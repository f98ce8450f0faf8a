-- migrate: no-transaction
-- The deliveries to all subscriptions of a workspace, newest first.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_of_workspace" ON "deliveries" ("workspace_id", "created_at" DESC, "request_id" DESC);
