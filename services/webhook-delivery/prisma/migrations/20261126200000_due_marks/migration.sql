-- CreateTable
CREATE TABLE "due_marks" (
    "webhook_id" TEXT NOT NULL,
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "workspace_id" TEXT NOT NULL,

    CONSTRAINT "due_marks_pkey" PRIMARY KEY ("webhook_id","id")
);

-- AddForeignKey
ALTER TABLE "due_marks" ADD CONSTRAINT "due_marks_webhook_id_fkey" FOREIGN KEY ("webhook_id") REFERENCES "subscriptions"("webhook_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Rows are removed soon after they were added: dead versions should go while they are few.
ALTER TABLE "due_marks" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

SELECT platform.protect('public.due_marks');
