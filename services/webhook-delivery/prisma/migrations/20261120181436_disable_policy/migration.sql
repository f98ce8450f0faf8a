-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "manual" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "endpoints" ADD COLUMN     "concluded" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "failed_attempts" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "failing_since" TIMESTAMPTZ(3),
ADD COLUMN     "owed" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "refusals" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "well_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- What follows from failures and is not yet done: almost always nothing.
CREATE INDEX "endpoints_owing" ON "endpoints" ("webhook_id") WHERE "owed" <> '{}';
