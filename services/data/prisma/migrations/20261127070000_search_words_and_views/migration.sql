-- Text search configurations that keep stop words, named search_<language>_all: records are indexed with them, so that
-- phrases and queries of stop words alone find what holds them. The configurations named search_<language> tell which
-- words of a query are more than stop words. See docs/decisions/search-index.md.
DO $$
DECLARE
  language text;
  dictionary text;
BEGIN
  FOREACH language IN ARRAY ARRAY['simple', 'arabic', 'armenian', 'basque', 'catalan', 'danish', 'dutch', 'english',
    'finnish', 'french', 'german', 'greek', 'hindi', 'hungarian', 'indonesian', 'irish', 'italian', 'lithuanian',
    'nepali', 'norwegian', 'portuguese', 'romanian', 'russian', 'serbian', 'spanish', 'swedish', 'tamil', 'turkish',
    'yiddish'] LOOP
    EXECUTE format('CREATE TEXT SEARCH CONFIGURATION public.search_%s_all (COPY = public.search_%s)', language, language);
    CONTINUE WHEN language = 'simple';
    dictionary := 'public.search_' || language || '_stem';
    EXECUTE format('CREATE TEXT SEARCH DICTIONARY %s (TEMPLATE = pg_catalog.snowball, LANGUAGE = %L)', dictionary, language);
    EXECUTE format('ALTER TEXT SEARCH CONFIGURATION public.search_%s_all ALTER MAPPING REPLACE pg_catalog.%I WITH %s',
      language, language || '_stem', dictionary);
  END LOOP;
END $$;

-- The ranking of a search from its second page on; see docs/decisions/search-pages.md. Losing it costs a cursor, so it
-- is not written to the log.
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

-- CreateIndex
CREATE INDEX "search_views_by_workspace" ON "search_views"("workspace_id", "created_at");

-- CreateIndex
CREATE INDEX "search_views_by_age" ON "search_views"("created_at");

-- A page reads a part of the hits, which compression would not allow.
ALTER TABLE "search_views" ALTER COLUMN "hits" SET STORAGE EXTERNAL;

SELECT platform.protect('public.search_views');
