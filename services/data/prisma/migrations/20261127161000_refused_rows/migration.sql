-- Rows of the files or feed of a source that were refused, and so are not among its records.
ALTER TABLE "data_sources" ADD COLUMN     "refused_rows" INTEGER NOT NULL DEFAULT 0;
