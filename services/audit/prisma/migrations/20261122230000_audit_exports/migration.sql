-- CreateTable
CREATE TABLE "audit_exports" (
    "workspace_id" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "audit_exports_pkey" PRIMARY KEY ("workspace_id","id")
);

-- CreateTable
CREATE TABLE "audit_export_parts" (
    "workspace_id" TEXT NOT NULL,
    "export_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,

    CONSTRAINT "audit_export_parts_pkey" PRIMARY KEY ("workspace_id","export_id","position")
);

-- CreateIndex
CREATE INDEX "audit_exports_expired" ON "audit_exports"("expires_at");

-- AddForeignKey
ALTER TABLE "audit_export_parts" ADD CONSTRAINT "audit_export_parts_workspace_id_export_id_fkey" FOREIGN KEY ("workspace_id", "export_id") REFERENCES "audit_exports"("workspace_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Who sees the rows
SELECT platform.protect('audit_exports');
SELECT platform.protect('audit_export_parts');

-- A written part stays as it was written; only its deletion, by the worker, removes it.
REVOKE UPDATE ON "audit_export_parts" FROM wp_app, wp_worker;
REVOKE DELETE ON "audit_exports", "audit_export_parts" FROM wp_app;
REVOKE INSERT ON "audit_exports", "audit_export_parts" FROM wp_worker;
