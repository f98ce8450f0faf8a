-- AlterTable
ALTER TABLE "deliveries" ADD COLUMN     "sequence" BIGINT NOT NULL DEFAULT 0,
ADD COLUMN     "stream_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone;

-- AlterTable
ALTER TABLE "endpoints" ADD COLUMN     "awaits" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "strict" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "ordering" TEXT NOT NULL DEFAULT 'best_effort' CHECK ("ordering" IN ('best_effort', 'strict'));

-- CreateTable
CREATE TABLE "fan_out_floor" (
    "consumer" TEXT NOT NULL,
    "stream_at" TIMESTAMPTZ(6) NOT NULL,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "fan_out_floor_pkey" PRIMARY KEY ("consumer")
);

-- No request has to do with it.
GRANT SELECT, INSERT, UPDATE, DELETE ON "fan_out_floor" TO wp_worker;

-- A pending delivery may wait for its turn, with no time of its own yet. What is there obeys the narrower rule.
ALTER TABLE "deliveries" DROP CONSTRAINT "deliveries_check";
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_check" CHECK ("status" = 'pending' OR "next_attempt_at" IS NULL) NOT VALID;

-- Where somebody must look whose turn it is.
CREATE INDEX "endpoints_awaiting" ON "endpoints" ("webhook_id") WHERE "awaits";
