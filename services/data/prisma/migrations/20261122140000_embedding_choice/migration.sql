-- The workspace chooses what embeds its records, and which sources are embedded. See docs/decisions/semantic-search.md.
ALTER TABLE "embedding_spaces"
  ADD COLUMN "chosen_integration_id" TEXT,
  ADD COLUMN "chosen_model" TEXT,
  ADD COLUMN "chosen_base_url" TEXT,
  ADD COLUMN "turn_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

ALTER TABLE "data_sources" ADD COLUMN "embed" BOOLEAN NOT NULL DEFAULT false;

-- What was embedded so far remains so. The owner of the tables is subject to row-level security only while it is forced.
ALTER TABLE "embedding_spaces" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "embedding_progress" NO FORCE ROW LEVEL SECURITY;
ALTER TABLE "data_sources" NO FORCE ROW LEVEL SECURITY;

UPDATE "embedding_spaces" SET "chosen_integration_id" = "integration_id" WHERE "integration_id" IS NOT NULL;
UPDATE "data_sources" AS source SET "embed" = true FROM "embedding_progress" AS progress
 WHERE progress."data_source_id" = source."data_source_id";

ALTER TABLE "embedding_spaces" FORCE ROW LEVEL SECURITY;
ALTER TABLE "embedding_progress" FORCE ROW LEVEL SECURITY;
ALTER TABLE "data_sources" FORCE ROW LEVEL SECURITY;
