-- A recommendation is of one kind and group, by which later runs find it again: the fingerprint. Those stored before have
-- none and remain as they are.

-- AlterTable
ALTER TABLE "recommendations" ADD COLUMN IF NOT EXISTS "fingerprint" TEXT,
ADD COLUMN IF NOT EXISTS "last_run_id" TEXT,
ADD COLUMN IF NOT EXISTS "window" JSONB,
ADD COLUMN IF NOT EXISTS "expected_effect" JSONB,
ADD COLUMN IF NOT EXISTS "confidence" DOUBLE PRECISION,
ADD COLUMN IF NOT EXISTS "severity" DOUBLE PRECISION NOT NULL DEFAULT 0,
ADD COLUMN IF NOT EXISTS "follow_up" JSONB;
