-- Attempts per second at an endpoint, and the time from which the next one may start; null: no limit.
ALTER TABLE "endpoints" ADD COLUMN     "rate_free_at" TIMESTAMPTZ(6),
ADD COLUMN     "rate_limit" DOUBLE PRECISION CHECK ("rate_limit" > 0);
