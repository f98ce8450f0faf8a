CREATE TABLE "data_sources" (
    "data_source_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "provider" TEXT NOT NULL,
    "config" JSONB NOT NULL,
    "sync_mode" TEXT NOT NULL,
    "embed" BOOLEAN NOT NULL DEFAULT false,
    "record_access" TEXT NOT NULL DEFAULT 'full' CONSTRAINT "data_sources_access" CHECK ("record_access" IN ('full', 'aggregates')),
    "schedule" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "fields" JSONB NOT NULL DEFAULT '[]',
    "pending_fields" JSONB,
    "previous_fields" JSONB,
    "type_mismatches" JSONB,
    "record_count" INTEGER NOT NULL DEFAULT 0 CONSTRAINT "data_sources_counted" CHECK ("record_count" >= 0),
    "refused_rows" INTEGER NOT NULL DEFAULT 0,
    "stored_bytes" BIGINT NOT NULL DEFAULT 0,
    "integration_id" TEXT,
    "generation" INTEGER NOT NULL DEFAULT 0,
    "cursor" TEXT,
    "cursor_generation" INTEGER,
    "has_applied_deletions" BOOLEAN NOT NULL DEFAULT false,
    "recent_row_hashes" BYTEA,
    "indexed_generation" INTEGER,
    "next_sync_at" TIMESTAMPTZ(3),
    "last_error" JSONB,
    "last_sync_id" TEXT,
    "last_synced_at" TIMESTAMPTZ(3),
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_sources_pkey" PRIMARY KEY ("data_source_id"),
    CONSTRAINT "data_sources_embedded" CHECK ("record_access" = 'full' OR NOT "embed")
);

CREATE TABLE "data_records" (
    "record_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "data_source_id" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "data" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL DEFAULT 0,
    "title" TEXT,
    "url" TEXT,
    "part_id" INTEGER,
    "text" TEXT,
    "document" INTEGER,
    "words" tsvector,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "data_records_pkey" PRIMARY KEY ("record_id")
);

CREATE TABLE "pseudonym_keys" (
    "workspace_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pseudonym_keys_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "search_indexes" (
    "index_id" SERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "data_source_id" TEXT NOT NULL,
    "next_document" INTEGER NOT NULL DEFAULT 0,
    "documents" INTEGER NOT NULL DEFAULT 0,
    "length" BIGINT NOT NULL DEFAULT 0,
    "segments" INTEGER NOT NULL DEFAULT 0,
    "merged_segments" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "search_indexes_pkey" PRIMARY KEY ("index_id")
);

CREATE TABLE "search_postings" (
    "index_id" INTEGER NOT NULL,
    "lexeme" TEXT COLLATE "C" NOT NULL,
    "segment" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "postings" BYTEA NOT NULL,

    CONSTRAINT "search_postings_pkey" PRIMARY KEY ("index_id","lexeme","segment")
);

CREATE TABLE "embedding_spaces" (
    "workspace_id" TEXT NOT NULL,
    "chosen_integration_id" TEXT,
    "chosen_model" TEXT,
    "chosen_base_url" TEXT,
    "last_leased_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "integration_id" TEXT,
    "space" TEXT,
    "model" TEXT,
    "dimensions" INTEGER,
    "checked_at" TIMESTAMPTZ(3),
    "retry_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "embedding_spaces_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "embedding_progress" (
    "data_source_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "space" TEXT NOT NULL,
    "next_document" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "lease_token" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "last_leased_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "embedding_progress_pkey" PRIMARY KEY ("data_source_id")
);

CREATE TABLE "embedding_changes" (
    "data_source_id" TEXT NOT NULL,
    "document" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "change_count" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "embedding_changes_pkey" PRIMARY KEY ("data_source_id","document")
);

CREATE TABLE "record_chunks" (
    "data_source_id" TEXT NOT NULL,
    "document" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "space" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "quantized_vector" BYTEA NOT NULL,
    "vector" BYTEA NOT NULL,

    CONSTRAINT "record_chunks_pkey" PRIMARY KEY ("data_source_id","document","hash")
);

CREATE TABLE "source_parts" (
    "part_id" SERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "data_source_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" TEXT,
    "generation" INTEGER,
    "seen_in" TEXT NOT NULL,
    "found_in" TEXT,
    "has_applied_deletions" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "source_parts_pkey" PRIMARY KEY ("part_id")
);

CREATE TABLE "search_feeds" (
    "index_name" TEXT NOT NULL,
    "filled_to" TEXT NOT NULL DEFAULT '',
    "is_filled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "search_feeds_pkey" PRIMARY KEY ("index_name")
);

CREATE TABLE "search_changes" (
    "record_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "search_changes_pkey" PRIMARY KEY ("record_id")
);

CREATE TABLE "row_feeds" (
    "generation" SERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "data_source_id" TEXT NOT NULL,
    "feed_id" TEXT NOT NULL,
    "fields" TEXT[],
    "read_to_created_at" TIMESTAMPTZ(3),
    "read_to_record_id" TEXT,
    "page_id" INTEGER NOT NULL DEFAULT 0,
    "page" JSONB,
    "last_read_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "row_feeds_pkey" PRIMARY KEY ("generation")
);

CREATE TABLE "row_changes" (
    "generation" INTEGER NOT NULL,
    "record_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "previous" JSONB,

    CONSTRAINT "row_changes_pkey" PRIMARY KEY ("generation","record_id")
);

-- The loss of a view costs a cursor, so views are not written to the log. See docs/decisions/search-pages.md.
CREATE UNLOGGED TABLE "search_views" (
    "view_id" UUID NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "first_hits" TEXT NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,
    "hits" BYTEA NOT NULL,
    "bytes" INTEGER NOT NULL,
    "ranking" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "search_views_pkey" PRIMARY KEY ("view_id")
);

CREATE INDEX "data_sources_listed" ON "data_sources"("workspace_id", "created_at" DESC, "data_source_id" DESC);

CREATE INDEX "data_sources_by_external_id" ON "data_sources"("workspace_id", "external_id");

CREATE INDEX "data_sources_by_integration" ON "data_sources"("workspace_id", "integration_id");

CREATE INDEX "data_records_listed" ON "data_records"("data_source_id", "created_at", "record_id");

CREATE UNIQUE INDEX "data_records_by_key" ON "data_records"("data_source_id", "key");

CREATE UNIQUE INDEX "search_indexes_by_source" ON "search_indexes"("data_source_id");

CREATE INDEX "search_indexes_by_workspace" ON "search_indexes"("workspace_id");

CREATE INDEX "embedding_progress_by_workspace" ON "embedding_progress"("workspace_id");

-- Finds the embedding of a text that another record of the workspace has already.
CREATE INDEX "record_chunks_by_hash" ON "record_chunks"("workspace_id", "hash");

CREATE UNIQUE INDEX "source_parts_by_name" ON "source_parts"("data_source_id", "name");

CREATE INDEX "search_changes_by_workspace" ON "search_changes"("workspace_id", "version");

CREATE UNIQUE INDEX "row_feeds_by_source" ON "row_feeds"("data_source_id", "feed_id");

CREATE INDEX "search_views_by_workspace" ON "search_views"("workspace_id", "created_at");

CREATE INDEX "search_views_by_age" ON "search_views"("created_at");

ALTER TABLE "embedding_changes" ADD CONSTRAINT "embedding_changes_data_source_id_fkey" FOREIGN KEY ("data_source_id") REFERENCES "embedding_progress"("data_source_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Scheduled syncs that are due, of all workspaces.
CREATE INDEX "data_sources_due" ON "data_sources"("next_sync_at") WHERE "next_sync_at" IS NOT NULL;

-- Records of sources without parts are not in this index.
CREATE INDEX "data_records_by_part" ON "data_records"("part_id", "key") WHERE "part_id" IS NOT NULL;

-- The record of a document of a search index. A record that never had words has no document.
CREATE UNIQUE INDEX "data_records_by_document" ON "data_records"("data_source_id", "document") WHERE "document" IS NOT NULL;

-- Compression does not make postings smaller, and they are read whole.
ALTER TABLE "search_postings" ALTER COLUMN "postings" SET STORAGE EXTERNAL;

-- Compression does not make vectors smaller. Sketches are scanned, so they are stored in the row; vectors are read for
-- few documents, so they are stored beside it.
ALTER TABLE "record_chunks" ALTER COLUMN "quantized_vector" SET STORAGE PLAIN, ALTER COLUMN "vector" SET STORAGE EXTERNAL;

-- A page reads a part of the hits, which is not possible if they are compressed.
ALTER TABLE "search_views" ALTER COLUMN "hits" SET STORAGE EXTERNAL;

-- Full-text search. See docs/decisions/search-index.md.
CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE EXTENSION IF NOT EXISTS unaccent WITH SCHEMA public;

-- Two text search configurations for each language, both PostgreSQL's own with accents removed before words are
-- stemmed. search_<language>_all keeps stop words: records are indexed with it, so that phrases and queries of stop words
-- alone find the records that contain them. search_<language> tells which words of a query are not stop words.
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
    EXECUTE format('CREATE TEXT SEARCH CONFIGURATION public.search_%s_all (COPY = public.search_%s)',
      language, language);
    -- The dictionary of simple has no stop words.
    CONTINUE WHEN language = 'simple';
    -- A snowball dictionary without the parameter StopWords has none.
    EXECUTE format('CREATE TEXT SEARCH DICTIONARY public.search_%s_stem (TEMPLATE = pg_catalog.snowball, LANGUAGE = %L)',
      language, language);
    EXECUTE format('ALTER TEXT SEARCH CONFIGURATION public.search_%s_all
      ALTER MAPPING REPLACE pg_catalog.%I WITH public.search_%s_stem', language, dictionary, language);
  END LOOP;
END $$;

-- Embeddings follow their records in the same transaction. See docs/decisions/semantic-search.md. Several statements
-- write records, so triggers do this; a write to a source that is not embedded must not become slower.
CREATE FUNCTION public.note_changed_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.embedding_changes (data_source_id, document, workspace_id)
  SELECT NEW.data_source_id, NEW.document, NEW.workspace_id
   WHERE EXISTS (SELECT FROM public.embedding_progress WHERE data_source_id = NEW.data_source_id)
  ON CONFLICT (data_source_id, document) DO UPDATE SET change_count = embedding_changes.change_count + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed_record AFTER UPDATE ON public.data_records FOR EACH ROW
  WHEN (OLD.document IS NOT NULL AND (OLD.title, OLD.text) IS DISTINCT FROM (NEW.title, NEW.text))
  EXECUTE FUNCTION public.note_changed_record();

CREATE FUNCTION public.forget_removed_records() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM public.record_chunks AS chunk USING removed
   WHERE chunk.data_source_id = removed.data_source_id AND chunk.document = removed.document;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_removed_records AFTER DELETE ON public.data_records REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION public.forget_removed_records();

CREATE FUNCTION public.forget_removed_source() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM public.embedding_progress WHERE data_source_id = OLD.data_source_id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_removed_source AFTER DELETE ON public.data_sources FOR EACH ROW
  EXECUTE FUNCTION public.forget_removed_source();

-- An outbox of changed records for a search engine beside PostgreSQL; see docs/decisions/search-engine.md. Nothing is
-- recorded, and a write costs one lookup a statement, until an index is registered in search_feeds.

-- Versions of documents. Version 1 is that of a document written while an index is filled: any change replaces it.
CREATE SEQUENCE public.search_versions START 2;

-- Sets, once a statement, a setting that tells if changes are recorded.
CREATE FUNCTION public.read_search_feeds() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.has_search_feed', EXISTS (SELECT FROM public.search_feeds)::text, true);
  RETURN NULL;
END $$;
CREATE TRIGGER read_search_feeds BEFORE INSERT OR UPDATE OR DELETE ON public.data_records
  FOR EACH STATEMENT EXECUTE FUNCTION public.read_search_feeds();

-- The lock of the source makes the versions of a record ascend in the order of its changes.
CREATE FUNCTION public.record_search_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE changed public.data_records := CASE WHEN TG_OP = 'DELETE' THEN OLD ELSE NEW END;
BEGIN
  INSERT INTO public.search_changes (record_id, workspace_id, version)
  VALUES (changed.record_id, changed.workspace_id, nextval('public.search_versions'))
  ON CONFLICT (record_id) DO UPDATE SET version = excluded.version, claimed_until = NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER record_search_change AFTER INSERT OR UPDATE OR DELETE ON public.data_records
  FOR EACH ROW WHEN (current_setting('app.has_search_feed', true) = 'true')
  EXECUTE FUNCTION public.record_search_change();

-- Chunks name their record by source and document. A deleted record has recorded its own change.
CREATE FUNCTION public.record_embedding_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM public.search_feeds) THEN RETURN NULL; END IF;
  INSERT INTO public.search_changes (record_id, workspace_id, version)
  SELECT record_id, workspace_id, nextval('public.search_versions') FROM public.data_records AS record
   WHERE record.data_source_id = CASE WHEN TG_OP = 'DELETE' THEN OLD.data_source_id ELSE NEW.data_source_id END
     AND record.document = CASE WHEN TG_OP = 'DELETE' THEN OLD.document ELSE NEW.document END
  ON CONFLICT (record_id) DO UPDATE SET version = excluded.version, claimed_until = NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER record_chunk_change AFTER INSERT OR UPDATE OR DELETE ON public.record_chunks
  FOR EACH ROW EXECUTE FUNCTION public.record_embedding_change();
CREATE TRIGGER record_embedding_change AFTER DELETE ON public.embedding_changes
  FOR EACH ROW EXECUTE FUNCTION public.record_embedding_change();

-- Feeds of rows; see docs/decisions/row-feeds.md. Several statements write records, so triggers record the changes. They
-- run once a statement, and cost one lookup if the source has no feed.

-- Records the fields of changed records that a subscriber has read. Records beyond its position are read later, as they
-- are then. The locks, held until the commit, keep the position: a page is read while no transaction has them. A session
-- plans each statement once, perhaps while the tables are almost empty; without enable_seqscan it would keep scanning.
CREATE FUNCTION public.record_row_changes() RETURNS trigger LANGUAGE plpgsql SET enable_seqscan = off AS $$
BEGIN
  PERFORM FROM public.row_feeds WHERE data_source_id IN (SELECT data_source_id FROM changed)
    ORDER BY generation FOR SHARE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF TG_OP = 'INSERT' THEN
    -- Late commits, and writers whose clocks differ: created_at is the start of the transaction.
    INSERT INTO public.row_changes (generation, record_id, workspace_id)
    SELECT generation, record_id, changed.workspace_id FROM changed JOIN public.row_feeds USING (data_source_id)
     WHERE (changed.created_at, record_id) <= (read_to_created_at, read_to_record_id)
    ON CONFLICT (generation, record_id) DO NOTHING;
  ELSE
    -- Records are looked up one by one (LATERAL … LIMIT 1), whatever the number of rows was for which this was planned.
    INSERT INTO public.row_changes (generation, record_id, workspace_id, previous)
    SELECT generation, changed.record_id, changed.workspace_id, former.cells
      FROM changed JOIN public.row_feeds AS feed USING (data_source_id)
     CROSS JOIN LATERAL (SELECT to_jsonb(ARRAY(SELECT changed.data -> field FROM unnest(fields) AS field)) AS cells) AS former
      LEFT JOIN LATERAL (
        SELECT to_jsonb(ARRAY(SELECT stored.data -> field FROM unnest(fields) AS field)) AS cells
          FROM public.data_records AS stored WHERE stored.record_id = changed.record_id LIMIT 1
      ) AS latter ON true
     WHERE (changed.created_at, changed.record_id) <= (read_to_created_at, read_to_record_id)
       AND former.cells IS DISTINCT FROM latter.cells
    -- The first change since the subscriber read the record says what it has.
    ON CONFLICT (generation, record_id) DO NOTHING;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER record_inserted_rows AFTER INSERT ON public.data_records REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION public.record_row_changes();
CREATE TRIGGER record_updated_rows AFTER UPDATE ON public.data_records REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION public.record_row_changes();
CREATE TRIGGER record_deleted_rows AFTER DELETE ON public.data_records REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION public.record_row_changes();

CREATE FUNCTION public.forget_removed_feed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM public.row_changes WHERE generation = OLD.generation;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_removed_feed AFTER DELETE ON public.row_feeds FOR EACH ROW
  EXECUTE FUNCTION public.forget_removed_feed();

GRANT USAGE ON SEQUENCE "search_indexes_index_id_seq", "source_parts_part_id_seq", "search_versions",
  "row_feeds_generation_seq"
  TO wp_app, wp_worker;

-- Grants and row-level security
SELECT platform.protect(
  'data_sources', 'data_records', 'pseudonym_keys', 'search_indexes', 'search_postings', 'embedding_spaces',
  'embedding_progress', 'embedding_changes', 'record_chunks', 'source_parts', 'search_changes', 'search_views',
  'row_feeds', 'row_changes'
);
SELECT platform.share('search_feeds');
