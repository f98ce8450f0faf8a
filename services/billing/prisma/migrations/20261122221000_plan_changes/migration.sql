-- Append only: invoices are calculated from it.
-- CreateTable
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

-- CreateIndex
CREATE INDEX "plan_changes_workspace_id_occurred_at_id_idx" ON "plan_changes"("workspace_id", "occurred_at", "id");

SELECT platform.protect('public.plan_changes');
REVOKE UPDATE, DELETE ON "plan_changes" FROM wp_app;
GRANT USAGE ON SEQUENCE plan_changes_id_seq TO wp_app, wp_worker;
