-- Scheme, host and port of the endpoint, by which attempts in flight are capped. Null in rows from before, each of which
-- then counts as a destination of its own until its endpoint is set again.
ALTER TABLE "endpoints" ADD COLUMN     "destination" TEXT;
