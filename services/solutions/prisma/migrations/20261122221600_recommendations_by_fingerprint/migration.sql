-- migrate: no-transaction
-- Finds the recommendations of a kind and group that earlier runs made.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "recommendations_by_fingerprint" ON "recommendations" ("workspace_id", "fingerprint");
