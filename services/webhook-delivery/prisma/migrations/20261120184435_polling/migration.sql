-- AlterTable
ALTER TABLE "endpoints" ADD COLUMN     "polled" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "subscriptions" ADD COLUMN     "delivery" TEXT NOT NULL DEFAULT 'push' CHECK ("delivery" IN ('push', 'poll')),
ALTER COLUMN "endpoint" DROP NOT NULL;

-- Numbers what is handed out, in the order in which it is.
CREATE SEQUENCE "polls";
GRANT USAGE ON SEQUENCE "polls" TO wp_app;
