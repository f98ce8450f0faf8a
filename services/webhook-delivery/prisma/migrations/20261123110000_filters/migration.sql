-- Conditions on the payload of events; null: every event of the subscription's kinds.
ALTER TABLE "subscriptions" ADD COLUMN     "filter" JSONB;
