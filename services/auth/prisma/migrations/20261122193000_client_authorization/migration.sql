-- AlterTable
ALTER TABLE "sessions" ADD COLUMN     "browser_token_hash" TEXT,
ADD COLUMN     "client_id" TEXT,
ADD COLUMN     "client_name" TEXT,
ADD COLUMN     "granted_resource" TEXT,
ADD COLUMN     "granted_scopes" TEXT[],
ADD COLUMN     "granted_workspace_id" TEXT;

-- CreateTable
CREATE TABLE "authorization_codes" (
    "hash" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "redirect_uri" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "scopes" TEXT[],
    "resource" TEXT,
    "session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "authorization_codes_pkey" PRIMARY KEY ("hash")
);

-- CreateIndex
CREATE INDEX "authorization_codes_expires_at_idx" ON "authorization_codes"("expires_at");

-- CreateIndex
CREATE INDEX "authorization_codes_user_id_idx" ON "authorization_codes"("user_id");

-- CreateIndex
CREATE INDEX "authorization_codes_workspace_id_idx" ON "authorization_codes"("workspace_id");

-- AddForeignKey
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who sees the rows
SELECT platform.protect('authorization_codes');

-- A session of a client is bound to one workspace and some scopes. Older sessions have no client, so none is checked.
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_client_grant" CHECK (
    ("client_id" IS NULL) = ("granted_workspace_id" IS NULL) AND ("client_id" IS NULL) = ("client_name" IS NULL)
) NOT VALID;
