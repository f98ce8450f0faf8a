-- CreateTable
CREATE TABLE "delivery_workers" (
    "worker_id" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delivery_workers_pkey" PRIMARY KEY ("worker_id")
);

-- Requests have nothing to do with it.
GRANT SELECT, INSERT, UPDATE, DELETE ON "delivery_workers" TO wp_worker;
