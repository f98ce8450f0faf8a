-- The size of what is stored, kept by the writers of records, for the quota `stored_bytes`. Records stored before count 0
-- until they change: measuring them would rewrite every row.
ALTER TABLE "data_sources" ADD COLUMN "stored_bytes" BIGINT NOT NULL DEFAULT 0;
ALTER TABLE "data_records" ADD COLUMN "bytes" INTEGER NOT NULL DEFAULT 0;
