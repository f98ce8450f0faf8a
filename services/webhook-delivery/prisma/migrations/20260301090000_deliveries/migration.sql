-- CreateTable
CREATE TABLE "subscriptions" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "events" TEXT[],
    "secret_sealed" TEXT,
    "previous_secret_sealed" TEXT,
    "previous_expires_at" TIMESTAMPTZ(3),
    "headers" JSONB NOT NULL DEFAULT '{}',
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'disabled')),
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "description" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("webhook_id")
);

-- CreateTable
CREATE TABLE "endpoints" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "next_due_at" TIMESTAMPTZ(3),
    "held_until" TIMESTAMPTZ(3),
    "full_until" TIMESTAMPTZ(3),
    "last_served_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "in_flight_cap" INTEGER NOT NULL DEFAULT 4,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "holds" INTEGER NOT NULL DEFAULT 0,
    "delivered_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),

    CONSTRAINT "endpoints_pkey" PRIMARY KEY ("webhook_id")
);

-- CreateTable
CREATE TABLE "deliveries" (
    "request_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "webhook_id" TEXT NOT NULL,
    "event_id" TEXT NOT NULL,
    "event_kind" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "status" TEXT NOT NULL CHECK ("status" IN ('pending', 'delivered', 'failed', 'skipped', 'cancelled')),
    "origin" TEXT NOT NULL DEFAULT 'event' CHECK ("origin" IN ('event', 'test')),
    "attempt_count" INTEGER NOT NULL DEFAULT 0,
    "retries_used" INTEGER NOT NULL DEFAULT 0,
    "throttled_at" TIMESTAMPTZ(3),
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_token" TEXT,
    "last_status_code" INTEGER,
    "last_error_kind" TEXT,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("request_id"),
    CHECK (("status" = 'pending') = ("next_attempt_at" IS NOT NULL))
);

-- CreateTable
CREATE TABLE "attempts" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "outcome" TEXT NOT NULL CHECK ("outcome" IN ('delivered', 'failed')),
    "status_code" INTEGER,
    "error_kind" TEXT,
    "error_message" TEXT,
    "address" TEXT,
    "timings" JSONB NOT NULL,
    "response_headers" JSONB NOT NULL,
    "response_body" TEXT,
    "response_truncated" BOOLEAN NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "subscriptions_listed" ON "subscriptions"("workspace_id", "created_at" DESC, "webhook_id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries"("event_id", "webhook_id");

-- CreateIndex
CREATE INDEX "deliveries_listed" ON "deliveries"("webhook_id", "created_at" DESC, "request_id" DESC);

-- CreateIndex
CREATE INDEX "deliveries_by_age" ON "deliveries"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "attempts_numbered" ON "attempts"("request_id", "number");

-- AddForeignKey
ALTER TABLE "endpoints" ADD CONSTRAINT "endpoints_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "subscriptions"("webhook_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempts" ADD CONSTRAINT "attempts_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "deliveries"("request_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- What Prisma's schema cannot say: indexes over an expression or over a part of the rows.

-- The fair claim asks which endpoints are ready now: something is due, nothing holds them, they are not full.
CREATE INDEX "endpoints_ready" ON "endpoints" (GREATEST("next_due_at", "held_until", "full_until")) WHERE "next_due_at" IS NOT NULL AND "enabled";

-- The queue of each endpoint, in the order it is served.
CREATE INDEX "deliveries_queued" ON "deliveries" ("webhook_id", "next_attempt_at", "request_id") WHERE "status" = 'pending';

-- What is under way, at most an endpoint's cap.
CREATE INDEX "deliveries_leased" ON "deliveries" ("webhook_id") WHERE "lease_token" IS NOT NULL;

-- Lists of what did not arrive; what did is nearly everything, and `deliveries_listed` finds it at once.
CREATE INDEX "deliveries_listed_undelivered" ON "deliveries" ("webhook_id", "status", "created_at" DESC, "request_id" DESC) WHERE "status" IN ('failed', 'skipped', 'cancelled');

-- Every attempt rewrites these rows: dead versions should go while they are few.
ALTER TABLE "endpoints" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "deliveries" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

SELECT platform.protect('public.subscriptions');
SELECT platform.protect('public.endpoints');
SELECT platform.protect('public.deliveries');
SELECT platform.protect('public.attempts');
