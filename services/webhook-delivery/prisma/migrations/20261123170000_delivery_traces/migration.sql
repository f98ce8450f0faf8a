-- The trace that a delivery belongs to: that of the request which caused its event. Its attempts continue it.
ALTER TABLE "deliveries" ADD COLUMN "traceparent" TEXT;
