-- migrate: no-transaction
-- The endpoints of a workspace from the least recently served; its end says when the workspace was last served.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "endpoints_by_workspace" ON "endpoints" ("workspace_id", "last_served_at");
