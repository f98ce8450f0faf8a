-- Step-up authentication: when the user of a session last proved who they are, and if its access tokens demand that this
-- was recent. For sessions that exist it was at their sign-in.
ALTER TABLE "sessions" ADD COLUMN "authenticated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN "step_up" BOOLEAN NOT NULL DEFAULT false;
UPDATE "sessions" SET "authenticated_at" = "created_at";

-- The session that a code re-authenticates; null for a sign-in.
ALTER TABLE "logins" ADD COLUMN "session_id" TEXT;

-- When the user of the browser proved who they are. A code of the previous release has none.
ALTER TABLE "authorization_codes" ADD COLUMN "authenticated_at" TIMESTAMPTZ(3);
