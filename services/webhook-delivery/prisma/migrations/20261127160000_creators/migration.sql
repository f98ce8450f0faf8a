-- The caller that created a subscription; null for those from before. A subscription that an application made has the
-- session on which it depends until a caller without an application activates it.
ALTER TABLE "subscriptions" ADD COLUMN     "created_by" TEXT,
ADD COLUMN     "created_by_client" TEXT,
ADD COLUMN     "depends_on" JSONB;

CREATE INDEX "subscriptions_of_sessions" ON "subscriptions"("webhook_id") WHERE "depends_on" IS NOT NULL AND "status" = 'active';
