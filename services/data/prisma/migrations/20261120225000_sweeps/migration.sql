-- What a sync that removes must know of those before it: whether they did. See docs/decisions/syncs.md.
ALTER TABLE "data_sources"
  ADD COLUMN "cursor_swept" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "cursor_rows" BYTEA,
  ADD COLUMN "read_as" INTEGER;

ALTER TABLE "source_parts"
  ADD COLUMN "swept" BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN "found_in" TEXT;

GRANT USAGE ON SEQUENCE "source_parts_part_id_seq" TO wp_app, wp_worker;
