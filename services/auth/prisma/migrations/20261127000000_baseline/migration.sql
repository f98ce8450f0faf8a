CREATE TABLE "users" (
    "user_id" TEXT NOT NULL,
    "email" TEXT NOT NULL CONSTRAINT "users_email_lower" CHECK ("email" = lower("email")),
    "name" TEXT,
    "locale" TEXT,
    "timezone" TEXT,
    "avatar_url" TEXT,
    "email_verified_at" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("user_id")
);
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

CREATE TABLE "workspaces" (
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "slug" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "location" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "timezone" TEXT NOT NULL DEFAULT 'UTC',
    "locale" TEXT NOT NULL DEFAULT 'en',
    "credential_per_minute" INTEGER NOT NULL DEFAULT 600,
    "workspace_per_minute" INTEGER NOT NULL DEFAULT 3000,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspaces_pkey" PRIMARY KEY ("workspace_id")
);
CREATE UNIQUE INDEX "workspaces_slug_key" ON "workspaces"("slug");

CREATE TABLE "roles" (
    "role_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "scopes" TEXT[] NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "roles_pkey" PRIMARY KEY ("role_id"),
    CONSTRAINT "roles_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "roles_workspace_id_created_at_role_id_idx" ON "roles"("workspace_id", "created_at" DESC, "role_id" DESC);
CREATE UNIQUE INDEX "roles_workspace_id_name_key" ON "roles"("workspace_id", "name");
CREATE UNIQUE INDEX "roles_workspace_id_role_id_key" ON "roles"("workspace_id", "role_id");

CREATE TABLE "memberships" (
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "built_in_role" TEXT,
    "role_id" TEXT,
    "invitation_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("workspace_id","user_id"),
    CONSTRAINT "memberships_one_role" CHECK (num_nonnulls("built_in_role", "role_id") = 1),
    CONSTRAINT "memberships_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "memberships_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE,
    CONSTRAINT "memberships_workspace_id_role_id_fkey" FOREIGN KEY ("workspace_id", "role_id") REFERENCES "roles"("workspace_id", "role_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "memberships_user_id_idx" ON "memberships"("user_id");
CREATE INDEX "memberships_workspace_id_created_at_user_id_idx" ON "memberships"("workspace_id", "created_at" DESC, "user_id" DESC);

CREATE TABLE "saved_views" (
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "page" TEXT NOT NULL,
    "views" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "saved_views_pkey" PRIMARY KEY ("workspace_id","user_id","page"),
    CONSTRAINT "saved_views_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "memberships"("workspace_id", "user_id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "service_principals" (
    "client_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "scopes" TEXT[] NOT NULL,
    "environment" TEXT,
    "status" TEXT NOT NULL DEFAULT 'active' CONSTRAINT "service_principals_status" CHECK ("status" IN ('active', 'disabled')),
    "created_by" TEXT NOT NULL,
    "tokens_valid_after" TIMESTAMPTZ(3),
    "secret_rotated_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_principals_pkey" PRIMARY KEY ("client_id"),
    CONSTRAINT "service_principals_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "service_principals_workspace_id_created_at_client_id_idx" ON "service_principals"("workspace_id", "created_at" DESC, "client_id" DESC);

CREATE TABLE "client_secrets" (
    "hash" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "client_secrets_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "client_secrets_client_id_fkey" FOREIGN KEY ("client_id") REFERENCES "service_principals"("client_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "client_secrets_client_id_idx" ON "client_secrets"("client_id");

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
    "portal_link_id" TEXT,
    "customer_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("key_id"),
    CONSTRAINT "api_keys_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "api_keys_workspace_id_created_at_key_id_idx" ON "api_keys"("workspace_id", "created_at" DESC, "key_id" DESC);

CREATE TABLE "api_key_secrets" (
    "hash" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_secrets_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "api_key_secrets_key_id_fkey" FOREIGN KEY ("key_id") REFERENCES "api_keys"("key_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "api_key_secrets_key_id_idx" ON "api_key_secrets"("key_id");

CREATE TABLE "signing_keys" (
    "kid" TEXT NOT NULL,
    "public_jwk" JSONB NOT NULL,
    "private_sealed" TEXT NOT NULL,
    "active_from" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "signing_keys_pkey" PRIMARY KEY ("kid")
);

CREATE TABLE "sessions" (
    "session_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "ip" TEXT,
    "user_agent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "is_step_up" BOOLEAN NOT NULL DEFAULT false,
    "last_used_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "end_reason" TEXT,
    "browser_token_hash" TEXT,
    "client_id" TEXT,
    "client_name" TEXT,
    "granted_workspace_id" TEXT,
    "granted_scopes" TEXT[],
    "granted_resource" TEXT,

    CONSTRAINT "sessions_pkey" PRIMARY KEY ("session_id"),
    -- A session of a client is bound to one workspace and some scopes.
    CONSTRAINT "sessions_client_grant" CHECK (
        ("client_id" IS NULL) = ("granted_workspace_id" IS NULL) AND ("client_id" IS NULL) = ("client_name" IS NULL)
    ),
    CONSTRAINT "sessions_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "sessions_browser_token_hash_key" ON "sessions"("browser_token_hash");
CREATE INDEX "sessions_user_id_created_at_session_id_idx" ON "sessions"("user_id", "created_at" DESC, "session_id" DESC);
CREATE INDEX "sessions_expires_at_idx" ON "sessions"("expires_at");

CREATE TABLE "passkeys" (
    "passkey_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "credential_id" TEXT NOT NULL,
    "public_key" BYTEA NOT NULL,
    "counter" BIGINT NOT NULL,
    "transports" TEXT[],
    "name" TEXT NOT NULL,
    "is_synced" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "passkeys_pkey" PRIMARY KEY ("passkey_id"),
    CONSTRAINT "passkeys_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "passkeys_credential_id_key" ON "passkeys"("credential_id");
CREATE INDEX "passkeys_user_id_created_at_passkey_id_idx" ON "passkeys"("user_id", "created_at" DESC, "passkey_id" DESC);

CREATE TABLE "used_passkey_challenges" (
    "hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "used_passkey_challenges_pkey" PRIMARY KEY ("hash")
);
CREATE INDEX "used_passkey_challenges_expires_at_idx" ON "used_passkey_challenges"("expires_at");

CREATE TABLE "passkey_settings" (
    "user_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "recovery_requested_at" TIMESTAMPTZ(3),
    "recovery_available_at" TIMESTAMPTZ(3),
    "recovery_cancel_hash" TEXT,

    CONSTRAINT "passkey_settings_pkey" PRIMARY KEY ("user_id"),
    CONSTRAINT "passkey_settings_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "passkey_settings_recovery_cancel_hash_key" ON "passkey_settings"("recovery_cancel_hash");

CREATE TABLE "devices" (
    "user_id" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("user_id","token_hash"),
    CONSTRAINT "devices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "refresh_tokens" (
    "hash" TEXT NOT NULL,
    "session_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "refresh_tokens_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "refresh_tokens_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "sessions"("session_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "refresh_tokens_session_id_idx" ON "refresh_tokens"("session_id");
CREATE INDEX "refresh_tokens_expires_at_idx" ON "refresh_tokens"("expires_at");

CREATE TABLE "revoked_tokens" (
    "token_id" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoked_tokens_pkey" PRIMARY KEY ("token_id")
);
CREATE INDEX "revoked_tokens_client_id_idx" ON "revoked_tokens"("client_id");
CREATE INDEX "revoked_tokens_expires_at_idx" ON "revoked_tokens"("expires_at");

CREATE TABLE "logins" (
    "login_id" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "code_hash" TEXT,
    "wrong_codes" INTEGER NOT NULL DEFAULT 0,
    "redirect_uri" TEXT,
    "code_challenge" TEXT,
    "session_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "logins_pkey" PRIMARY KEY ("login_id")
);
CREATE UNIQUE INDEX "logins_token_hash_key" ON "logins"("token_hash");
CREATE INDEX "logins_expires_at_idx" ON "logins"("expires_at");

CREATE TABLE "login_codes" (
    "hash" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "code_challenge" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "login_codes_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "login_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "login_codes_expires_at_idx" ON "login_codes"("expires_at");

CREATE TABLE "authorization_codes" (
    "hash" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "method" TEXT NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3),
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

    CONSTRAINT "authorization_codes_pkey" PRIMARY KEY ("hash"),
    CONSTRAINT "authorization_codes_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "authorization_codes_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "authorization_codes_expires_at_idx" ON "authorization_codes"("expires_at");
CREATE INDEX "authorization_codes_user_id_idx" ON "authorization_codes"("user_id");
CREATE INDEX "authorization_codes_workspace_id_idx" ON "authorization_codes"("workspace_id");

CREATE TABLE "external_identities" (
    "issuer" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "email" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "external_identities_pkey" PRIMARY KEY ("issuer","subject"),
    CONSTRAINT "external_identities_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "external_identities_user_id_idx" ON "external_identities"("user_id");

CREATE TABLE "invitations" (
    "invitation_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "built_in_role" TEXT,
    "role_id" TEXT,
    "token_hash" TEXT NOT NULL,
    "invited_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("invitation_id"),
    CONSTRAINT "invitations_one_role" CHECK (num_nonnulls("built_in_role", "role_id") = 1),
    CONSTRAINT "invitations_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "invitations_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "invitations_workspace_id_role_id_fkey" FOREIGN KEY ("workspace_id", "role_id") REFERENCES "roles"("workspace_id", "role_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations"("token_hash");
CREATE INDEX "invitations_user_id_idx" ON "invitations"("user_id");
CREATE INDEX "invitations_workspace_id_created_at_user_id_idx" ON "invitations"("workspace_id", "created_at" DESC, "user_id" DESC);
CREATE UNIQUE INDEX "invitations_workspace_id_user_id_key" ON "invitations"("workspace_id", "user_id");

CREATE TABLE "mails" (
    "mail_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'queued',
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_try_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("mail_id")
);
CREATE INDEX "mails_next_try_at_idx" ON "mails"("next_try_at");

CREATE TABLE "counters" (
    "key" TEXT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "count" INTEGER NOT NULL,

    CONSTRAINT "counters_pkey" PRIMARY KEY ("key")
);
CREATE INDEX "counters_ends_at_idx" ON "counters"("ends_at");

CREATE TABLE "workspace_deletions" (
    "deletion_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "requested_by" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'scheduled',
    "receipt_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "workspace_deletions_pkey" PRIMARY KEY ("deletion_id")
);
CREATE INDEX "workspace_deletions_of_user" ON "workspace_deletions"("requested_by", "workspace_id", "created_at" DESC);
CREATE INDEX "workspace_deletions_by_status" ON "workspace_deletions"("status", "starts_at");

CREATE TABLE "workspace_deletion_reports" (
    "deletion_id" TEXT NOT NULL,
    "service" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "deleted" JSONB NOT NULL,
    "retained" JSONB NOT NULL,
    "finished_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_deletion_reports_pkey" PRIMARY KEY ("deletion_id","service"),
    CONSTRAINT "workspace_deletion_reports_deletion_id_fkey" FOREIGN KEY ("deletion_id") REFERENCES "workspace_deletions"("deletion_id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "identity_changes" (
    "change_id" BIGSERIAL NOT NULL,
    "number" BIGINT,
    "type" TEXT NOT NULL,
    "subject_id" TEXT NOT NULL,
    "recorded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identity_changes_pkey" PRIMARY KEY ("change_id")
);
CREATE UNIQUE INDEX "identity_changes_number_key" ON "identity_changes"("number");
CREATE INDEX "identity_changes_recorded_at_idx" ON "identity_changes"("recorded_at");

CREATE TABLE "scim_users" (
    "scim_user_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "user_id" TEXT NOT NULL,
    "user_name" TEXT NOT NULL,
    "external_id" TEXT,
    "active" BOOLEAN NOT NULL,
    "attributes" JSONB NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scim_users_pkey" PRIMARY KEY ("scim_user_id"),
    CONSTRAINT "scim_users_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "scim_users_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "scim_users_workspace_id_user_id_key" ON "scim_users"("workspace_id", "user_id");
CREATE UNIQUE INDEX "scim_users_workspace_id_scim_user_id_key" ON "scim_users"("workspace_id", "scim_user_id");
CREATE INDEX "scim_users_workspace_id_created_at_scim_user_id_idx" ON "scim_users"("workspace_id", "created_at", "scim_user_id");
CREATE INDEX "scim_users_user_id_idx" ON "scim_users"("user_id");

CREATE TABLE "scim_groups" (
    "scim_group_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "external_id" TEXT,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "scim_groups_pkey" PRIMARY KEY ("scim_group_id"),
    CONSTRAINT "scim_groups_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "scim_groups_workspace_id_scim_group_id_key" ON "scim_groups"("workspace_id", "scim_group_id");
CREATE INDEX "scim_groups_workspace_id_created_at_scim_group_id_idx" ON "scim_groups"("workspace_id", "created_at", "scim_group_id");

CREATE TABLE "scim_group_members" (
    "workspace_id" TEXT NOT NULL,
    "scim_group_id" TEXT NOT NULL,
    "scim_user_id" TEXT NOT NULL,

    CONSTRAINT "scim_group_members_pkey" PRIMARY KEY ("scim_group_id","scim_user_id"),
    CONSTRAINT "scim_group_members_workspace_id_scim_group_id_fkey" FOREIGN KEY ("workspace_id", "scim_group_id") REFERENCES "scim_groups"("workspace_id", "scim_group_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "scim_group_members_workspace_id_scim_user_id_fkey" FOREIGN KEY ("workspace_id", "scim_user_id") REFERENCES "scim_users"("workspace_id", "scim_user_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "scim_group_members_workspace_id_scim_group_id_idx" ON "scim_group_members"("workspace_id", "scim_group_id");
CREATE INDEX "scim_group_members_workspace_id_scim_user_id_idx" ON "scim_group_members"("workspace_id", "scim_user_id");

CREATE TABLE "sign_in_policies" (
    "workspace_id" TEXT NOT NULL,
    "default_built_in_role" TEXT,
    "default_role_id" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sign_in_policies_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "sign_in_policies_one_role" CHECK (num_nonnulls("default_built_in_role", "default_role_id") = 1),
    CONSTRAINT "sign_in_policies_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "sign_in_policies_workspace_id_default_role_id_fkey" FOREIGN KEY ("workspace_id", "default_role_id") REFERENCES "roles"("workspace_id", "role_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "sign_in_policies_workspace_id_default_role_id_idx" ON "sign_in_policies"("workspace_id", "default_role_id");

CREATE TABLE "group_roles" (
    "workspace_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "group_name" TEXT NOT NULL,
    "built_in_role" TEXT,
    "role_id" TEXT,

    CONSTRAINT "group_roles_pkey" PRIMARY KEY ("workspace_id","position"),
    CONSTRAINT "group_roles_one_role" CHECK (num_nonnulls("built_in_role", "role_id") = 1),
    CONSTRAINT "group_roles_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "group_roles_workspace_id_role_id_fkey" FOREIGN KEY ("workspace_id", "role_id") REFERENCES "roles"("workspace_id", "role_id") ON DELETE RESTRICT ON UPDATE CASCADE
);
CREATE INDEX "group_roles_workspace_id_role_id_idx" ON "group_roles"("workspace_id", "role_id");

CREATE TABLE "sso_connections" (
    "workspace_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'oidc',
    "issuer" TEXT NOT NULL,
    "client_id" TEXT NOT NULL,
    "secret_sealed" TEXT NOT NULL,
    "groups_claim" TEXT NOT NULL DEFAULT 'groups',
    "is_required" BOOLEAN NOT NULL DEFAULT false,
    "break_glass_user_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_connections_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "sso_connections_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "saml_providers" (
    "workspace_id" TEXT NOT NULL,
    "metadata_url" TEXT,
    "sign_in_url" TEXT NOT NULL,
    "certificates" TEXT[],
    "signs_requests" BOOLEAN NOT NULL,
    "own_certificate" TEXT NOT NULL,
    "checked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_check_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "saml_providers_pkey" PRIMARY KEY ("workspace_id"),
    CONSTRAINT "saml_providers_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "sso_connections"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "saml_providers_next_check_at_idx" ON "saml_providers"("next_check_at");

CREATE TABLE "saml_assertions" (
    "workspace_id" TEXT NOT NULL,
    "assertion_hash" TEXT NOT NULL,
    "code_hash" TEXT NOT NULL,
    "request_id" TEXT NOT NULL,
    "claims" JSONB,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "saml_assertions_pkey" PRIMARY KEY ("workspace_id","assertion_hash"),
    CONSTRAINT "saml_assertions_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE UNIQUE INDEX "saml_assertions_code_hash_key" ON "saml_assertions"("code_hash");
CREATE INDEX "saml_assertions_expires_at_idx" ON "saml_assertions"("expires_at");

CREATE TABLE "sso_domains" (
    "workspace_id" TEXT NOT NULL,
    "domain" TEXT NOT NULL,
    "token" TEXT NOT NULL,
    "verified_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sso_domains_pkey" PRIMARY KEY ("workspace_id","domain"),
    CONSTRAINT "sso_domains_workspace_id_fkey" FOREIGN KEY ("workspace_id") REFERENCES "workspaces"("workspace_id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- What Prisma's schema cannot express.

-- A domain is verified in one workspace at most.
CREATE UNIQUE INDEX "sso_domains_verified" ON "sso_domains"("domain") WHERE "verified_at" IS NOT NULL;

-- The names of users and groups of a directory are unique without regard to case.
CREATE UNIQUE INDEX "scim_users_workspace_id_lower_user_name_key" ON "scim_users"("workspace_id", lower("user_name"));
CREATE UNIQUE INDEX "scim_groups_workspace_id_lower_display_name_key" ON "scim_groups"("workspace_id", lower("display_name"));

-- The names of the roles of a workspace are unique without regard to case.
CREATE UNIQUE INDEX "roles_workspace_id_lower_name_key" ON "roles"("workspace_id", lower("name"));

-- At most one deletion of a workspace is under way.
CREATE UNIQUE INDEX "workspace_deletions_open" ON "workspace_deletions"("workspace_id") WHERE "status" IN ('scheduled', 'running');

-- Credentials of portal links: both columns are set, or none; they always expire, and are deleted some days after.
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_portal" CHECK (
  ("portal_link_id" IS NULL) = ("customer_id" IS NULL) AND ("portal_link_id" IS NULL OR "expires_at" IS NOT NULL));
CREATE UNIQUE INDEX "api_keys_of_portal_links" ON "api_keys"("portal_link_id") WHERE "portal_link_id" IS NOT NULL;
CREATE INDEX "api_keys_of_portal_links_by_expiry" ON "api_keys"("expires_at") WHERE "portal_link_id" IS NOT NULL;

-- The change log of identities: which credential, principal or workspace resolves to something else since when. Edges
-- keep what they cached while they have every change (docs/decisions/edge-identity-cache.md).
-- Finds the changes that have no number yet.
CREATE INDEX "identity_changes_unnumbered" ON "identity_changes"("change_id") WHERE "number" IS NULL;

-- Records an identity change in the transaction that makes it, whatever code that is. Arguments: the type, and the column
-- with the id.
CREATE FUNCTION public.record_identity_change() RETURNS trigger LANGUAGE plpgsql
SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO public.identity_changes (type, subject_id)
  VALUES (TG_ARGV[0], to_jsonb(coalesce(NEW, OLD)) ->> TG_ARGV[1]);
  RETURN NULL;
END $$;

-- One trigger for each table that `resolve` reads, on the columns it reads. A new row needs one only where it changes the
-- identity of an existing credential. Changes by time (an expiry) need none: identities state their expiry.
CREATE TRIGGER identity_change AFTER UPDATE OF workspace_id, shard, location, scopes, expires_at, deleted_at, portal_link_id, customer_id OR DELETE
  ON public.api_keys FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('credential', 'key_id');
CREATE TRIGGER identity_change AFTER UPDATE OF key_id, expires_at OR DELETE
  ON public.api_key_secrets FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('credential', 'key_id');
CREATE TRIGGER identity_change AFTER UPDATE OF workspace_id, scopes, status, tokens_valid_after, deleted_at OR DELETE
  ON public.service_principals FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'client_id');
CREATE TRIGGER identity_change AFTER INSERT
  ON public.revoked_tokens FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'client_id');
CREATE TRIGGER identity_change AFTER UPDATE OF disabled_at OR DELETE
  ON public.users FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'user_id');
CREATE TRIGGER identity_change AFTER INSERT OR UPDATE OF workspace_id, user_id, built_in_role, role_id OR DELETE
  ON public.memberships FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('principal', 'user_id');
CREATE TRIGGER identity_change AFTER UPDATE OF scopes OR DELETE
  ON public.roles FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
CREATE TRIGGER identity_change AFTER UPDATE OF user_id, expires_at, ended_at
  ON public.sessions FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('credential', 'session_id');
-- Expired sessions are deleted by the thousand.
CREATE TRIGGER identity_change_by_deletion AFTER DELETE
  ON public.sessions FOR EACH ROW WHEN (OLD.ended_at IS NULL AND OLD.expires_at > now())
  EXECUTE FUNCTION public.record_identity_change('credential', 'session_id');
CREATE TRIGGER identity_change
  AFTER UPDATE OF shard, location, credential_per_minute, workspace_per_minute, deleted_at OR DELETE
  ON public.workspaces FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
CREATE TRIGGER identity_change AFTER INSERT OR UPDATE OF is_required, break_glass_user_id OR DELETE
  ON public.sso_connections FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
CREATE TRIGGER identity_change AFTER INSERT OR UPDATE OF credential_per_minute, workspace_per_minute OR DELETE
  ON platform.plan_limits FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');
CREATE TRIGGER identity_change AFTER INSERT OR UPDATE OF meter, exhausted, period_end OR DELETE
  ON platform.meter_limits FOR EACH ROW EXECUTE FUNCTION public.record_identity_change('workspace', 'workspace_id');

-- Grants and row-level security. A user, and what belongs to one, is in no workspace.
SELECT platform.protect(
  'workspaces', 'roles', 'memberships', 'saved_views', 'service_principals', 'client_secrets', 'api_keys',
  'api_key_secrets', 'authorization_codes', 'invitations', 'scim_users', 'scim_groups', 'scim_group_members',
  'sign_in_policies', 'group_roles', 'sso_connections', 'saml_providers', 'saml_assertions', 'sso_domains',
  'workspace_deletions', 'workspace_deletion_reports'
);
SELECT platform.share(
  'users', 'sessions', 'passkeys', 'used_passkey_challenges', 'passkey_settings', 'devices', 'refresh_tokens',
  'revoked_tokens', 'logins', 'login_codes', 'external_identities', 'mails', 'counters'
);

-- The rows of a user are in several workspaces. A transaction that acts for a user names them in app.user_id and may then
-- read their rows; to change them, it still needs the workspace.
CREATE POLICY own ON "memberships" FOR SELECT TO wp_app USING ("user_id" = nullif(current_setting('app.user_id', true), ''));
CREATE POLICY own ON "invitations" FOR SELECT TO wp_app USING ("user_id" = nullif(current_setting('app.user_id', true), ''));

-- Requests do not use the keys that sign access tokens.
GRANT SELECT, INSERT, UPDATE, DELETE ON "signing_keys" TO wp_worker;

-- Requests do not use the log: the triggers write it with the rights of its owner.
GRANT SELECT, INSERT, UPDATE, DELETE ON "identity_changes" TO wp_worker;
GRANT USAGE ON SEQUENCE "identity_changes_change_id_seq" TO wp_worker;
