-- Two turns within a millisecond had the same time, so a workspace with several sources could have both. For more digits
-- PostgreSQL does not rewrite the table, so the lock is held briefly.
-- squawk-ignore changing-column-type
ALTER TABLE "embedding_progress" ALTER COLUMN "turn_at" TYPE TIMESTAMPTZ(6);
-- squawk-ignore changing-column-type
ALTER TABLE "embedding_spaces" ALTER COLUMN "turn_at" TYPE TIMESTAMPTZ(6);
