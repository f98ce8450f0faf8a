-- The session in which a user acted, and the application that acted for the user. Null in records from before.
ALTER TABLE "audit_records" ADD COLUMN     "actor_client_id" TEXT,
ADD COLUMN     "actor_session_id" TEXT;
