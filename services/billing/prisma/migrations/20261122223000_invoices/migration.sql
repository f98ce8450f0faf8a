-- CreateTable
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

-- CreateTable
CREATE TABLE "invoice_counters" (
    "year" INTEGER NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "invoice_counters_pkey" PRIMARY KEY ("year")
);

-- CreateTable
CREATE TABLE "invoice_schedules" (
    "workspace_id" TEXT NOT NULL,
    "invoiced_until" TIMESTAMPTZ(3),
    "due_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invoice_schedules_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "billing_details" (
    "workspace_id" TEXT NOT NULL,
    "company_name" TEXT,
    "address" TEXT,
    "vat_id" TEXT,
    "email" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "billing_details_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "invoices_number_key" ON "invoices"("number");

-- CreateIndex
CREATE UNIQUE INDEX "invoices_workspace_id_period_start_key" ON "invoices"("workspace_id", "period_start");

-- CreateIndex
CREATE INDEX "invoices_workspace_id_created_at_id_idx" ON "invoices"("workspace_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoices_workspace_id_status_created_at_id_idx" ON "invoices"("workspace_id", "status", "created_at", "id");

-- CreateIndex
CREATE INDEX "invoice_schedules_due_at_idx" ON "invoice_schedules"("due_at");

SELECT platform.protect('public.invoices');
SELECT platform.protect('public.invoice_schedules');
SELECT platform.protect('public.billing_details');
SELECT platform.share('public.invoice_counters');

-- An issued invoice never changes, except that it is paid or voided.
REVOKE UPDATE ON "invoices" FROM wp_app, wp_worker;
GRANT UPDATE ("status", "paid_at", "voided_at", "payment_reference", "updated_at") ON "invoices" TO wp_app, wp_worker;
