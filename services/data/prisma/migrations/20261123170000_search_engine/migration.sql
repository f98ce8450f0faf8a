-- An outbox of changed records for a search engine beside PostgreSQL; see docs/decisions/search-engine.md. Nothing is
-- recorded, and a write costs one lookup a statement, until an index is registered in search_feeds.

-- CreateTable
CREATE TABLE "search_feeds" (
    "index_name" TEXT NOT NULL,
    "filled_to" TEXT NOT NULL DEFAULT '',
    "is_filled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "search_feeds_pkey" PRIMARY KEY ("index_name")
);

-- CreateTable
CREATE TABLE "search_changes" (
    "record_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "version" BIGINT NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "search_changes_pkey" PRIMARY KEY ("record_id")
);

-- CreateIndex
CREATE INDEX "search_changes_by_workspace" ON "search_changes"("workspace_id", "version");

SELECT platform.share('public.search_feeds');
SELECT platform.protect('public.search_changes');

-- Versions of documents. Version 1 is that of a document written while an index is filled: any change replaces it.
CREATE SEQUENCE public.search_versions START 2;
GRANT USAGE ON SEQUENCE public.search_versions TO wp_app, wp_worker;

-- Once a statement: whether changes are recorded.
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
