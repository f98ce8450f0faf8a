CREATE TABLE "subscriptions" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "plan_code" TEXT NOT NULL,
    "seats" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "anchor_at" TIMESTAMPTZ(3) NOT NULL,
    "pending_plan_code" TEXT,
    "pending_seats" INTEGER,
    "pending_at" TIMESTAMPTZ(3),
    "limits_version" INTEGER NOT NULL DEFAULT 0,
    "limits_sent_at" TIMESTAMPTZ(3),
    "sent_limits" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "subscriptions_workspace_id_key" ON "subscriptions"("workspace_id");
CREATE INDEX "subscriptions_pending_at_idx" ON "subscriptions"("pending_at");
CREATE INDEX "subscriptions_limits_sent_at_idx" ON "subscriptions"("limits_sent_at");

CREATE TABLE "plan_changes" (
    "id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "occurred_at" TIMESTAMPTZ(3) NOT NULL,
    "from_plan" TEXT NOT NULL,
    "to_plan" TEXT NOT NULL,
    "from_seats" INTEGER NOT NULL,
    "to_seats" INTEGER NOT NULL,
    "anchor_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "plan_changes_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "plan_changes_workspace_id_occurred_at_id_idx" ON "plan_changes"("workspace_id", "occurred_at", "id");

CREATE TABLE "invoices" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "subscription_id" TEXT,
    "status" TEXT NOT NULL DEFAULT 'open' CHECK ("status" IN ('open', 'paid', 'void')),
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "period_end" TIMESTAMPTZ(3) NOT NULL,
    "content" JSONB NOT NULL,
    "usage" JSONB NOT NULL,
    "total_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "issued_at" TIMESTAMPTZ(3) NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "paid_at" TIMESTAMPTZ(3),
    "voided_at" TIMESTAMPTZ(3),
    "payment_reference" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "invoices_pkey" PRIMARY KEY ("id")
);
CREATE UNIQUE INDEX "invoices_number_key" ON "invoices"("number");
CREATE INDEX "invoices_workspace_id_created_at_id_idx" ON "invoices"("workspace_id", "created_at", "id");
CREATE INDEX "invoices_workspace_id_status_created_at_id_idx" ON "invoices"("workspace_id", "status", "created_at", "id");
CREATE UNIQUE INDEX "invoices_workspace_id_period_start_key" ON "invoices"("workspace_id", "period_start");

CREATE TABLE "invoice_counters" (
    "year" INTEGER NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "invoice_counters_pkey" PRIMARY KEY ("year")
);

CREATE TABLE "invoice_schedules" (
    "workspace_id" TEXT NOT NULL,
    "invoiced_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_schedules_pkey" PRIMARY KEY ("workspace_id")
);
CREATE INDEX "invoice_schedules_due_at_idx" ON "invoice_schedules"("due_at");

CREATE TABLE "billing_details" (
    "workspace_id" TEXT NOT NULL,
    "company_name" TEXT,
    "address" TEXT,
    "vat_id" TEXT,
    "email" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "billing_details_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "usage_totals" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "quantity" BIGINT NOT NULL,

    CONSTRAINT "usage_totals_pkey" PRIMARY KEY ("workspace_id","meter","hour")
);

CREATE TABLE "usage_by_dimension" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "dimension" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL,

    CONSTRAINT "usage_by_dimension_pkey" PRIMARY KEY ("workspace_id","dimension","meter","hour","value")
);

CREATE TABLE "usage_checks" (
    "workspace_id" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "usage_checks_pkey" PRIMARY KEY ("workspace_id")
);
CREATE INDEX "usage_checks_version_idx" ON "usage_checks"("version");

CREATE TABLE "usage_thresholds" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "included" BIGINT NOT NULL,
    "percent" INTEGER NOT NULL,

    CONSTRAINT "usage_thresholds_pkey" PRIMARY KEY ("workspace_id","meter","period_start","included","percent")
);

CREATE TABLE "meter_limits" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "exhausted" BOOLEAN NOT NULL,
    "period_end" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "meter_limits_pkey" PRIMARY KEY ("workspace_id","meter")
);

-- Grants and row-level security
SELECT platform.protect(
  'subscriptions', 'plan_changes', 'invoices', 'invoice_schedules', 'billing_details', 'usage_totals',
  'usage_by_dimension', 'usage_checks', 'usage_thresholds', 'meter_limits'
);
SELECT platform.share('invoice_counters');
GRANT USAGE ON SEQUENCE "plan_changes_id_seq" TO wp_app, wp_worker;

-- Requests can only add plan changes: invoices are calculated from them.
REVOKE UPDATE, DELETE ON "plan_changes" FROM wp_app;

-- An issued invoice never changes, except that it is paid or voided.
REVOKE UPDATE ON "invoices" FROM wp_app, wp_worker;
GRANT UPDATE ("status", "paid_at", "voided_at", "payment_reference", "updated_at") ON "invoices" TO wp_app, wp_worker;
