-- CreateTable
CREATE TABLE "filtered_counts" (
    "webhook_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "filtered" INTEGER NOT NULL,

    CONSTRAINT "filtered_counts_pkey" PRIMARY KEY ("webhook_id")
);

-- AddForeignKey
ALTER TABLE "filtered_counts" ADD CONSTRAINT "filtered_counts_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "subscriptions"("webhook_id") ON DELETE CASCADE ON UPDATE CASCADE;

SELECT platform.protect('public.filtered_counts');
