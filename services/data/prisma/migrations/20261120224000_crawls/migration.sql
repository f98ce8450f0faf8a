-- How far crawls have come: where the next may go on, and of sources with parts which are known in which version.
ALTER TABLE "data_sources"
  ADD COLUMN "cursor" TEXT,
  ADD COLUMN "cursor_reading" INTEGER;

ALTER TABLE "data_records" ADD COLUMN "part_id" INTEGER;

-- CreateTable
CREATE TABLE "source_parts" (
  "part_id" SERIAL NOT NULL,
  "workspace_id" TEXT NOT NULL,
  "data_source_id" TEXT NOT NULL,
  "name" TEXT NOT NULL,
  "version" TEXT,
  "reading" INTEGER,
  "seen_in" TEXT NOT NULL,

  CONSTRAINT "source_parts_pkey" PRIMARY KEY ("part_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "source_parts_by_name" ON "source_parts"("data_source_id", "name");

-- Records of sources without parts are not in it.
CREATE INDEX "data_records_by_part" ON "data_records"("part_id", "key") WHERE "part_id" IS NOT NULL;

SELECT platform.protect('public.source_parts');
