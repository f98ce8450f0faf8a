-- AlterTable
ALTER TABLE "invitations" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "roles" ADD COLUMN     "description" TEXT;

-- CreateIndex
CREATE INDEX "invitations_workspace_id_created_at_user_id_idx" ON "invitations"("workspace_id", "created_at" DESC, "user_id" DESC);

-- CreateIndex
CREATE INDEX "memberships_workspace_id_created_at_user_id_idx" ON "memberships"("workspace_id", "created_at" DESC, "user_id" DESC);

-- CreateIndex
CREATE INDEX "roles_workspace_id_created_at_role_id_idx" ON "roles"("workspace_id", "created_at" DESC, "role_id" DESC);


-- A role is known by its name, whoever shouts it.
CREATE UNIQUE INDEX "roles_workspace_id_lower_name_key" ON "roles"("workspace_id", lower("name"));

-- What is a person's own lies across workspaces. A transaction that acts for a person says so in app.user_id and may then
-- read it, and nothing else: changing it still takes the workspace.
CREATE POLICY own ON "memberships" FOR SELECT TO wp_app USING ("user_id" = nullif(current_setting('app.user_id', true), ''));
CREATE POLICY own ON "invitations" FOR SELECT TO wp_app USING ("user_id" = nullif(current_setting('app.user_id', true), ''));
