-- The limits as they were last sent, so that a change of the catalogue is noticed.
ALTER TABLE "subscriptions" ADD COLUMN IF NOT EXISTS "sent_limits" JSONB;
