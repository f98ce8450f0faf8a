-- migrate: no-transaction
-- Finds the session of a browser by the hash of its cookie.
CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "sessions_browser_token_hash_key" ON "sessions" ("browser_token_hash");
