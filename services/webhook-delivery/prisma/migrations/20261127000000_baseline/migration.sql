CREATE TABLE "subscriptions" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "delivery" TEXT NOT NULL DEFAULT 'push' CHECK ("delivery" IN ('push', 'poll')),
    "endpoint" TEXT,
    "events" TEXT[],
    "filter" JSONB,
    "secret_sealed" TEXT,
    "previous_secret_sealed" TEXT,
    "previous_expires_at" TIMESTAMPTZ(3),
    "headers" JSONB NOT NULL DEFAULT '{}',
    "authentication" JSONB,
    "authentication_sealed" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'disabled')),
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "ordering" TEXT NOT NULL DEFAULT 'best_effort' CHECK ("ordering" IN ('best_effort', 'strict')),
    "description" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "customer_id" TEXT,
    "customer_filter" JSONB,
    "created_by" TEXT,
    "created_by_client" TEXT,
    "depends_on" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("webhook_id")
);
CREATE INDEX "subscriptions_listed" ON "subscriptions"("workspace_id", "created_at" DESC, "webhook_id" DESC);

CREATE TABLE "endpoints" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "is_strict" BOOLEAN NOT NULL DEFAULT false,
    "is_polled" BOOLEAN NOT NULL DEFAULT false,
    "has_waiting" BOOLEAN NOT NULL DEFAULT false,
    "next_due_at" TIMESTAMPTZ(3),
    "held_until" TIMESTAMPTZ(3),
    "saturated_until" TIMESTAMPTZ(3),
    "rate_limit" DOUBLE PRECISION CHECK ("rate_limit" > 0),
    "rate_free_at" TIMESTAMPTZ(6),
    "last_served_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "destination" TEXT,
    "in_flight_cap" INTEGER NOT NULL DEFAULT 4,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "holds" INTEGER NOT NULL DEFAULT 0,
    "delivered_count" INTEGER NOT NULL DEFAULT 0,
    "failed_count" INTEGER NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_healthy_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failed_attempts" INTEGER NOT NULL DEFAULT 0,
    "failing_since" TIMESTAMPTZ(3),
    "auth_failures" INTEGER NOT NULL DEFAULT 0,
    "triggered_actions" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "pending_actions" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "notified_at" TIMESTAMPTZ(3),

    CONSTRAINT "endpoints_pkey" PRIMARY KEY ("webhook_id"),
    CONSTRAINT "endpoints_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "subscriptions"("webhook_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "endpoints_by_workspace" ON "endpoints"("workspace_id", "last_served_at");

CREATE TABLE "due_marks" (
    "webhook_id" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "workspace_id" TEXT NOT NULL,

    CONSTRAINT "due_marks_pkey" PRIMARY KEY ("webhook_id","id"),
    CONSTRAINT "due_marks_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "subscriptions"("webhook_id") ON DELETE CASCADE ON UPDATE CASCADE
);

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
    "is_manual" BOOLEAN NOT NULL DEFAULT false,
    "throttled_at" TIMESTAMPTZ(3),
    "stream_created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT '1970-01-01 00:00:00+00'::timestamp with time zone,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "lease_token" TEXT,
    "last_status_code" INTEGER,
    "last_error_kind" TEXT,
    "first_attempt" JSONB,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "traceparent" TEXT,
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("request_id"),
    -- Only a pending delivery has a time of its next attempt. One that waits for the deliveries before it, or for a poll,
    -- has none.
    CHECK ("status" = 'pending' OR "next_attempt_at" IS NULL)
);
CREATE INDEX "deliveries_listed" ON "deliveries"("webhook_id", "created_at" DESC, "request_id" DESC);
CREATE INDEX "deliveries_of_workspace" ON "deliveries"("workspace_id", "created_at" DESC, "request_id" DESC);
CREATE INDEX "deliveries_by_age" ON "deliveries"("created_at");
CREATE UNIQUE INDEX "deliveries_once" ON "deliveries"("event_id", "webhook_id");

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

    CONSTRAINT "attempts_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "attempts_request_id_fkey" FOREIGN KEY ("request_id") REFERENCES "deliveries"("request_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "attempts_numbered" ON "attempts"("request_id", "number");

CREATE TABLE "delivery_workers" (
    "worker_id" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_workers_pkey" PRIMARY KEY ("worker_id")
);

CREATE TABLE "fan_out_watermark" (
    "consumer" TEXT NOT NULL,
    "stream_created_at" TIMESTAMPTZ(6) NOT NULL,
    "sequence" BIGINT NOT NULL,

    CONSTRAINT "fan_out_watermark_pkey" PRIMARY KEY ("consumer")
);

CREATE TABLE "attempt_hours" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(0) NOT NULL,
    "delivered" INTEGER NOT NULL,
    "failed" INTEGER NOT NULL,
    "latencies" INTEGER[],
    "durations" DOUBLE PRECISION[] NOT NULL DEFAULT '{}',

    CONSTRAINT "attempt_hours_pkey" PRIMARY KEY ("webhook_id","hour")
);
CREATE INDEX "attempt_hours_by_age" ON "attempt_hours"("hour");

CREATE TABLE "filtered_counts" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "filtered" INTEGER NOT NULL,

    CONSTRAINT "filtered_counts_pkey" PRIMARY KEY ("webhook_id"),
    CONSTRAINT "filtered_counts_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "subscriptions"("webhook_id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "delivered_counts" (
    "workspace_id" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "delivered" INTEGER NOT NULL,

    CONSTRAINT "delivered_counts_pkey" PRIMARY KEY ("workspace_id","id")
);

CREATE TABLE "test_receivers" (
    "receiver_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "received" INTEGER NOT NULL DEFAULT 0,
    "minute_started_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "minute_count" INTEGER NOT NULL DEFAULT 0,
    "last_received_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "test_receivers_pkey" PRIMARY KEY ("receiver_id")
);
CREATE UNIQUE INDEX "test_receivers_token_key" ON "test_receivers"("token");
CREATE INDEX "test_receivers_listed" ON "test_receivers"("workspace_id", "created_at" DESC, "receiver_id" DESC);
CREATE INDEX "test_receivers_expired" ON "test_receivers"("expires_at");

CREATE TABLE "received_requests" (
    "receiver_id" TEXT NOT NULL,
    "slot" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "headers" JSONB NOT NULL,
    "body" TEXT NOT NULL,
    "body_bytes" INTEGER NOT NULL,
    "signature" TEXT NOT NULL,

    CONSTRAINT "received_requests_pkey" PRIMARY KEY ("receiver_id","slot"),
    CONSTRAINT "received_requests_receiver_id_fkey" FOREIGN KEY ("receiver_id") REFERENCES "test_receivers"("receiver_id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "portal_links" (
    "portal_link_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "customer_id" TEXT NOT NULL,
    "customer_name" TEXT,
    "events" TEXT[],
    "filter" JSONB,
    "can_write" BOOLEAN NOT NULL,
    "frame_origins" TEXT[],
    "return_url" TEXT,
    "theme" JSONB NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "portal_links_pkey" PRIMARY KEY ("portal_link_id")
);
CREATE INDEX "portal_links_listed" ON "portal_links"("workspace_id", "created_at" DESC, "portal_link_id" DESC);
CREATE INDEX "portal_links_by_expiry" ON "portal_links"("expires_at");

CREATE TABLE "event_destinations" (
    "destination_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL CHECK ("content" IN ('events', 'audit')),
    "events" TEXT[],
    "filter" JSONB,
    "format" TEXT NOT NULL CHECK ("format" IN ('json', 'ocsf')),
    "config" JSONB NOT NULL,
    "secrets_sealed" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active' CHECK ("status" IN ('active', 'disabled')),
    "disabled_reason" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "position" BIGINT NOT NULL,
    "batch_end" BIGINT,
    "next_attempt_at" TIMESTAMPTZ(3),
    "written_count" BIGINT NOT NULL DEFAULT 0,
    "skipped_count" BIGINT NOT NULL DEFAULT 0,
    "consecutive_failures" INTEGER NOT NULL DEFAULT 0,
    "last_success_at" TIMESTAMPTZ(3),
    "last_failure_at" TIMESTAMPTZ(3),
    "last_error_code" TEXT,
    "last_error_message" TEXT,
    "last_healthy_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failing_since" TIMESTAMPTZ(3),

    CONSTRAINT "event_destinations_pkey" PRIMARY KEY ("destination_id")
);
CREATE INDEX "event_destinations_listed" ON "event_destinations"("workspace_id", "created_at" DESC, "destination_id" DESC);

CREATE TABLE "destination_events" (
    "event_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "event_kind" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "stream_created_at" TIMESTAMPTZ(6) NOT NULL,
    "sequence" BIGINT NOT NULL,
    "seq" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "destination_events_pkey" PRIMARY KEY ("event_id")
);
CREATE UNIQUE INDEX "destination_events_read" ON "destination_events"("workspace_id", "seq");
CREATE INDEX "destination_events_by_age" ON "destination_events"("created_at");

CREATE TABLE "destination_log_heads" (
    "workspace_id" TEXT NOT NULL,
    "content" TEXT NOT NULL CHECK ("content" IN ('events', 'audit')),
    "seq" BIGINT NOT NULL,

    CONSTRAINT "destination_log_heads_pkey" PRIMARY KEY ("workspace_id", "content")
);

-- What Prisma's schema cannot express.

-- Subscriptions whose session must be checked: those of applications, while they are active.
CREATE INDEX "subscriptions_of_sessions" ON "subscriptions" ("webhook_id") WHERE "depends_on" IS NOT NULL AND "status" = 'active';

-- Endpoints that a claim may serve now: a delivery is due, nothing holds them, and they have a free slot.
CREATE INDEX "endpoints_ready" ON "endpoints" (GREATEST("next_due_at", "held_until", "saturated_until")) WHERE "next_due_at" IS NOT NULL AND "is_enabled";

-- Endpoints with triggered actions of the failure policy that are not executed yet: almost always none.
CREATE INDEX "endpoints_with_pending_actions" ON "endpoints" ("webhook_id") WHERE "pending_actions" <> '{}';

-- Endpoints to check for waiting deliveries that can be released.
CREATE INDEX "endpoints_with_waiting" ON "endpoints" ("webhook_id") WHERE "has_waiting";

-- The queue of each endpoint, in the order in which it is served.
CREATE INDEX "deliveries_queued" ON "deliveries" ("webhook_id", "next_attempt_at", "request_id") WHERE "status" = 'pending';

-- Deliveries of an endpoint that wait for the ones before them, in the order of their events.
CREATE INDEX "deliveries_waiting" ON "deliveries" ("webhook_id", "stream_created_at", "sequence", "request_id") WHERE "status" = 'pending' AND "next_attempt_at" IS NULL;

-- Finds waiting deliveries above the watermark.
CREATE INDEX "deliveries_waiting_by_position" ON "deliveries" ("stream_created_at", "sequence") WHERE "status" = 'pending' AND "next_attempt_at" IS NULL;

-- Counts the attempts of an endpoint in flight. Under load, thousands of entries of ended attempts remain until the next
-- vacuum; by the end of their leases they are not read.
CREATE INDEX "deliveries_in_flight" ON "deliveries" ("webhook_id", "next_attempt_at") WHERE "lease_token" IS NOT NULL;

-- Lists of undelivered deliveries, of a subscription and of a workspace. They are few; delivered ones are found quickly
-- by `deliveries_listed` and `deliveries_of_workspace`.
CREATE INDEX "deliveries_listed_undelivered" ON "deliveries" ("webhook_id", "status", "created_at" DESC, "request_id" DESC) WHERE "status" IN ('failed', 'skipped', 'cancelled');
CREATE INDEX "deliveries_of_workspace_undelivered" ON "deliveries" ("workspace_id", "status", "created_at" DESC, "request_id" DESC) WHERE "status" IN ('pending', 'failed', 'skipped', 'cancelled');

-- Events that have no position in the log of their workspace yet: those of the last moments.
CREATE INDEX "destination_events_without_position" ON "destination_events" ("workspace_id", "stream_created_at", "sequence") WHERE "seq" IS NULL;

-- Numbers the polls in their order.
CREATE SEQUENCE "polls";
GRANT USAGE ON SEQUENCE "polls" TO wp_app;

-- Every attempt rewrites rows of these tables, and due marks are deleted soon after they were added: dead versions should
-- be vacuumed while they are few.
ALTER TABLE "endpoints" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "deliveries" SET (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
ALTER TABLE "attempt_hours" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "event_destinations" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "due_marks" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
ALTER TABLE "delivered_counts" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- Grants and row-level security
SELECT platform.protect(
  'subscriptions', 'endpoints', 'due_marks', 'deliveries', 'attempts', 'attempt_hours', 'filtered_counts',
  'delivered_counts', 'test_receivers', 'received_requests', 'portal_links', 'event_destinations',
  'destination_events', 'destination_log_heads'
);

-- The subscriptions of a customer, for lists and their limit.
CREATE INDEX "subscriptions_of_customers" ON "subscriptions" ("workspace_id", "customer_id", "created_at" DESC, "webhook_id" DESC) WHERE "customer_id" IS NOT NULL;

-- A portal link reaches the rows of its customer alone, whatever a statement asks for; other callers set no customer. A
-- row of another table belongs to the customer of its subscription, which is visible by the same policy. New rows of
-- endpoints are written in one statement with the subscription, which their check does not see yet.
CREATE POLICY "customer" ON "subscriptions" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') IN ('', "customer_id"));
CREATE POLICY "customer" ON "portal_links" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') IN ('', "customer_id"));
CREATE POLICY "customer" ON "endpoints" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = ''
    OR EXISTS (SELECT FROM "subscriptions" s WHERE s."webhook_id" = "endpoints"."webhook_id")) WITH CHECK (true);
CREATE POLICY "customer" ON "due_marks" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = ''
    OR EXISTS (SELECT FROM "subscriptions" s WHERE s."webhook_id" = "due_marks"."webhook_id"));
CREATE POLICY "customer" ON "deliveries" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = ''
    OR EXISTS (SELECT FROM "subscriptions" s WHERE s."webhook_id" = "deliveries"."webhook_id"));
CREATE POLICY "customer" ON "attempts" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = ''
    OR EXISTS (SELECT FROM "deliveries" d WHERE d."request_id" = "attempts"."request_id"));
CREATE POLICY "customer" ON "attempt_hours" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = ''
    OR EXISTS (SELECT FROM "subscriptions" s WHERE s."webhook_id" = "attempt_hours"."webhook_id"));
CREATE POLICY "customer" ON "filtered_counts" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = ''
    OR EXISTS (SELECT FROM "subscriptions" s WHERE s."webhook_id" = "filtered_counts"."webhook_id"));
-- These belong to the workspace as a whole.
CREATE POLICY "customer" ON "delivered_counts" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = '');
CREATE POLICY "customer" ON "test_receivers" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = '');
CREATE POLICY "customer" ON "received_requests" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = '');
CREATE POLICY "customer" ON "event_destinations" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = '');
CREATE POLICY "customer" ON "destination_events" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = '');
CREATE POLICY "customer" ON "destination_log_heads" AS RESTRICTIVE TO wp_app
  USING (coalesce(current_setting('app.customer_id', true), '') = '');

-- Requests do not use these tables.
GRANT SELECT, INSERT, UPDATE, DELETE ON "delivery_workers", "fan_out_watermark" TO wp_worker;
