-- Embeddings of records. See docs/decisions/semantic-search.md.

-- CreateTable
CREATE TABLE "embedding_spaces" (
    "workspace_id" TEXT NOT NULL,
    "integration_id" TEXT,
    "space" TEXT,
    "model" TEXT,
    "dimensions" INTEGER,
    "checked_at" TIMESTAMPTZ(3),
    "retry_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failures" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "embedding_spaces_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "embedding_progress" (
    "data_source_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "space" TEXT NOT NULL,
    "next_document" INTEGER NOT NULL DEFAULT 0,
    "version" INTEGER NOT NULL DEFAULT 0,
    "lease_token" TEXT,
    "lease_until" TIMESTAMPTZ(3),
    "turn_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "embedding_progress_pkey" PRIMARY KEY ("data_source_id")
);

-- CreateTable
CREATE TABLE "embedding_changes" (
    "data_source_id" TEXT NOT NULL,
    "document" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "times" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "embedding_changes_pkey" PRIMARY KEY ("data_source_id","document")
);

-- CreateTable
CREATE TABLE "record_chunks" (
    "data_source_id" TEXT NOT NULL,
    "document" INTEGER NOT NULL,
    "hash" BYTEA NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "space" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "length" INTEGER NOT NULL,
    "sketch" BYTEA NOT NULL,
    "vector" BYTEA NOT NULL,

    CONSTRAINT "record_chunks_pkey" PRIMARY KEY ("data_source_id","document","hash")
);

-- CreateIndex
CREATE INDEX "embedding_progress_by_workspace" ON "embedding_progress"("workspace_id");

-- AddForeignKey
ALTER TABLE "embedding_changes" ADD CONSTRAINT "embedding_changes_data_source_id_fkey" FOREIGN KEY ("data_source_id")
  REFERENCES "embedding_progress"("data_source_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Numbers of small differences do not become smaller by compression. A sketch is read with its row, a vector beside it.
ALTER TABLE "record_chunks" ALTER COLUMN "sketch" SET STORAGE PLAIN, ALTER COLUMN "vector" SET STORAGE EXTERNAL;

-- Whatever writes records, what was embedded of them follows in the same transaction. By triggers, as records are
-- written by several statements, and none of them is to be slower where nothing is embedded.
CREATE FUNCTION public.note_changed_record() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO public.embedding_changes (data_source_id, document, workspace_id)
  SELECT NEW.data_source_id, NEW.document, NEW.workspace_id
   WHERE EXISTS (SELECT FROM public.embedding_progress WHERE data_source_id = NEW.data_source_id)
  ON CONFLICT (data_source_id, document) DO UPDATE SET times = embedding_changes.times + 1;
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

SELECT platform.protect('public.embedding_spaces');
SELECT platform.protect('public.embedding_progress');
SELECT platform.protect('public.embedding_changes');
SELECT platform.protect('public.record_chunks');
