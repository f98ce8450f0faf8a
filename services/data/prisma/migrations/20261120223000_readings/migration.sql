-- Counts how often it was decided that a source is read from the beginning.
ALTER TABLE "data_sources" ADD COLUMN "reading" INTEGER NOT NULL DEFAULT 0;
