-- CreateTable
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
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "subscriptions_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "subscriptions_workspace_id_key" ON "subscriptions"("workspace_id");

-- CreateIndex
CREATE INDEX "subscriptions_pending_at_idx" ON "subscriptions"("pending_at");

-- CreateIndex
CREATE INDEX "subscriptions_limits_sent_at_idx" ON "subscriptions"("limits_sent_at");

SELECT platform.protect('public.subscriptions');
