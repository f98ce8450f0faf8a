CREATE TABLE "sessions" (
    "session_id" UUID NOT NULL,
    "cookie_hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "sealed_access_token" TEXT NOT NULL,
    "sealed_refresh_token" TEXT NOT NULL,
    "refresh_count" INTEGER NOT NULL DEFAULT 0,
    "access_expires_at" TIMESTAMPTZ(3) NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("session_id")
);
CREATE UNIQUE INDEX "sessions_cookie_hash_key" ON "sessions"("cookie_hash");
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

CREATE TABLE "pending_sign_ins" (
    "cookie_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "pending_sign_ins_pkey" PRIMARY KEY ("cookie_hash")
);
CREATE INDEX "pending_sign_ins_expires_at_idx" ON "pending_sign_ins"("expires_at");

CREATE TABLE "assets" (
    "name" TEXT NOT NULL,
    "content_type" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "gzip" BYTEA,
    "brotli" BYTEA,
    "used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assets_pkey" PRIMARY KEY ("name")
);
CREATE INDEX "assets_expiry" ON "assets"("used_at");

-- Grants: the tables belong to no workspace.
SELECT platform.share('sessions', 'pending_sign_ins');
-- Files of the app, the same for all users.
SELECT platform.share('assets');
