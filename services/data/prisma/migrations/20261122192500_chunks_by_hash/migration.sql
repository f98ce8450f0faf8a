-- migrate: no-transaction
-- Finds the embedding of a text that another record of the workspace has already.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "record_chunks_by_hash" ON "record_chunks" ("workspace_id", "hash");
