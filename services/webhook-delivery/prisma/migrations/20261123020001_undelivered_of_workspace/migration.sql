-- migrate: no-transaction
-- Lists of what was not delivered in a workspace, which is little; `deliveries_of_workspace` finds what was at once.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "deliveries_of_workspace_undelivered" ON "deliveries" ("workspace_id", "status", "created_at" DESC, "request_id" DESC) WHERE "status" IN ('pending', 'failed', 'skipped', 'cancelled');
