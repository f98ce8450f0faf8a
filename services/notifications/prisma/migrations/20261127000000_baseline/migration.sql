CREATE TABLE "feeds" (
    "workspace_id" TEXT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "last_position" BIGINT NOT NULL,

    CONSTRAINT "feeds_pkey" PRIMARY KEY ("workspace_id","recipient_id")
);

CREATE TABLE "notifications" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "event_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "category" TEXT NOT NULL,
    "is_critical" BOOLEAN NOT NULL,
    "is_in_app" BOOLEAN NOT NULL,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "link" TEXT,
    "read_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "notifications_listed" ON "notifications"("workspace_id", "recipient_id", "created_at" DESC, "id" DESC);
CREATE INDEX "notifications_expiry" ON "notifications"("created_at");
CREATE UNIQUE INDEX "notifications_workspace_id_recipient_id_event_id_key" ON "notifications"("workspace_id", "recipient_id", "event_id");
CREATE UNIQUE INDEX "notifications_workspace_id_recipient_id_position_key" ON "notifications"("workspace_id", "recipient_id", "position");

CREATE TABLE "settings" (
    "workspace_id" TEXT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "values" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("workspace_id","recipient_id")
);

CREATE TABLE "deliveries" (
    "workspace_id" TEXT NOT NULL,
    "notification_id" TEXT NOT NULL,
    "channel" TEXT NOT NULL,
    "recipient_id" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "is_digest" BOOLEAN NOT NULL,
    "reason" TEXT,
    "details" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "deliveries_pkey" PRIMARY KEY ("notification_id","channel"),
    CONSTRAINT "deliveries_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notifications"("id") ON DELETE CASCADE ON UPDATE CASCADE
);
CREATE INDEX "deliveries_digest" ON "deliveries"("workspace_id", "recipient_id", "created_at");

-- Grants and row-level security
SELECT platform.protect('feeds', 'notifications', 'settings', 'deliveries');
