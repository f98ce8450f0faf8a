-- Full-text search. See docs/decisions/search-index.md.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;

-- One configuration a language, named search_<language>: PostgreSQL's own, with accents folded before words are stemmed.
DO $$
DECLARE
  language text;
  dictionary text;
BEGIN
  FOREACH language IN ARRAY ARRAY['simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english',
    'finnish', 'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian',
    'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish',
    'yiddish'] LOOP
    dictionary := CASE language WHEN 'simple' THEN 'simple' ELSE language || '_stem' END;
    EXECUTE format('CREATE TEXT SEARCH CONFIGURATION public.search_%s (COPY = pg_catalog.%I)', language, language);
    EXECUTE format('ALTER TEXT SEARCH CONFIGURATION public.search_%s ALTER MAPPING FOR hword, hword_part, word
      WITH public.unaccent, pg_catalog.%I', language, dictionary);
  END LOOP;
END $$;

-- What is searched of a record: its number within the index of its source, given once, and its words.
ALTER TABLE "data_records" ADD COLUMN "document" INTEGER, ADD COLUMN "words" tsvector;
CREATE UNIQUE INDEX "data_records_by_document" ON "data_records"("data_source_id", "document") WHERE "document" IS NOT NULL;

-- CreateTable
CREATE TABLE "search_indexes" (
    "index_id" SERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "data_source_id" TEXT NOT NULL,
    "next_document" INTEGER NOT NULL DEFAULT 0,
    "documents" INTEGER NOT NULL DEFAULT 0,
    "length" BIGINT NOT NULL DEFAULT 0,
    "segments" INTEGER NOT NULL DEFAULT 0,
    "folded" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "search_indexes_pkey" PRIMARY KEY ("index_id")
);

-- CreateTable
CREATE TABLE "search_postings" (
    "index_id" INTEGER NOT NULL,
    "lexeme" TEXT COLLATE "C" NOT NULL,
    "segment" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "postings" BYTEA NOT NULL,

    CONSTRAINT "search_postings_pkey" PRIMARY KEY ("index_id","lexeme","segment")
);

-- CreateIndex
CREATE UNIQUE INDEX "search_indexes_by_source" ON "search_indexes"("data_source_id");

-- CreateIndex
CREATE INDEX "search_indexes_by_workspace" ON "search_indexes"("workspace_id");

-- Postings do not become smaller by general compression; reading them whole is what they are for.
ALTER TABLE "search_postings" ALTER COLUMN "postings" SET STORAGE EXTERNAL;

GRANT USAGE ON SEQUENCE "search_indexes_index_id_seq" TO wp_app, wp_worker;
SELECT platform.protect('public.search_indexes');
SELECT platform.protect('public.search_postings');
