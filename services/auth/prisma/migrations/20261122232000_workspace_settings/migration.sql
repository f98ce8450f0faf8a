-- Settings of a workspace: what applies to its members who have not chosen their own.
ALTER TABLE "workspaces" ADD COLUMN "timezone" TEXT NOT NULL DEFAULT 'UTC', ADD COLUMN "locale" TEXT NOT NULL DEFAULT 'en';
