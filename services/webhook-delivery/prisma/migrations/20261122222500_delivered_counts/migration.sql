-- CreateTable
CREATE TABLE "delivered_counts" (
    "workspace_id" TEXT NOT NULL,
    "delivered" INTEGER NOT NULL,

    CONSTRAINT "delivered_counts_pkey" PRIMARY KEY ("workspace_id")
);

SELECT platform.protect('public.delivered_counts');
