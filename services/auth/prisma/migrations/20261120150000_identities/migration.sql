-- CreateTable
CREATE TABLE "users" (
    "user_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT,
    "locale" TEXT,
    "timezone" TEXT,
    "avatar_url" TEXT,
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "users_email_lower" CHECK ("email" = lower("email"))
);

-- CreateTable
CREATE TABLE "workspaces" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "credential_per_minute" INTEGER NOT NULL DEFAULT 600,
    "workspace_per_minute" INTEGER NOT NULL DEFAULT 3000,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "roles" (
    "role_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("role_id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "built_in_role" TEXT,
    "role_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("workspace_id","user_id"),
    CONSTRAINT "memberships_one_role" CHECK (num_nonnulls("built_in_role", "role_id") = 1)
);

-- CreateTable
CREATE TABLE "service_principals" (
    "client_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "environment" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_by" TEXT NOT NULL,
    "tokens_valid_after" TIMESTAMPTZ(3),
    "secret_rotated_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_principals_pkey" PRIMARY KEY ("client_id"),
    CONSTRAINT "service_principals_status" CHECK ("status" IN ('active', 'disabled'))
);

-- CreateTable
CREATE TABLE "client_secrets" (
    "hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "key_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "name" TEXT,
    "scopes" TEXT[] NOT NULL,
    "last4" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_by_type" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "rotated_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "api_key_secrets" (
    "hash" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_secrets_pkey" PRIMARY KEY ("hash")
);

-- CreateTable
CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_sealed" TEXT NOT NULL,
    "active_from" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "workspaces_slug_key" ON "workspaces"("slug");

-- CreateIndex
CREATE UNIQUE INDEX "roles_workspace_id_name_key" ON "roles"("workspace_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "roles_workspace_id_role_id_key" ON "roles"("workspace_id", "role_id");

-- CreateIndex
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");

-- CreateIndex
CREATE INDEX "service_principals_workspace_id_created_at_client_id_idx" ON "service_principals"("workspace_id", "created_at" DESC, "client_id" DESC);

-- CreateIndex
CREATE INDEX "client_secrets_client_id_idx" ON "client_secrets"("client_id");

-- CreateIndex
CREATE INDEX "api_keys_workspace_id_created_at_key_id_idx" ON "api_keys"("workspace_id", "created_at" DESC, "key_id" DESC);

-- CreateIndex
CREATE INDEX "api_key_secrets_key_id_idx" ON "api_key_secrets"("key_id");

-- AddForeignKey
ALTER TABLE "roles" ADD CONSTRAINT "roles_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_workspace_id_role_id_fkey" FOREIGN KEY ("workspace_id", "role_id") REFERENCES "roles"("workspace_id", "role_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_principals" ADD CONSTRAINT "service_principals_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "client_secrets" ADD CONSTRAINT "client_secrets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "service_principals"("client_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_secrets" ADD CONSTRAINT "api_key_secrets_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("key_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A user belongs to no workspace; everything else but the signing keys does, the workspace itself included.
SELECT platform.share('public.users');
SELECT platform.protect('public.workspaces');
SELECT platform.protect('public.roles');
SELECT platform.protect('public.memberships');
SELECT platform.protect('public.service_principals');
SELECT platform.protect('public.client_secrets');
SELECT platform.protect('public.api_keys');
SELECT platform.protect('public.api_key_secrets');

-- No request needs the keys that sign access tokens: only the worker role gets at them.
GRANT SELECT, INSERT, UPDATE, DELETE ON "signing_keys" TO wp_worker;
