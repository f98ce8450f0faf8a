-- AlterTable
ALTER TABLE "memberships" ADD COLUMN     "invitation_id" TEXT;
