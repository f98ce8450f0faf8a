CREATE TABLE "recommendations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "forecast_run_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "key" JSONB NOT NULL,
    "title" TEXT NOT NULL,
    "rationale" TEXT NOT NULL,
    "figures" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "fingerprint" TEXT,
    "last_run_id" TEXT,
    "window" JSONB,
    "expected_effect" JSONB,
    "confidence" DOUBLE PRECISION,
    "severity" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "saving" JSONB,
    "scenario_id" TEXT,
    "follow_up" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recommendations_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "recommendations_listed" ON "recommendations"("workspace_id", "created_at" DESC, "id" DESC);
CREATE INDEX "recommendations_found_again" ON "recommendations"("workspace_id", "last_run_id");
CREATE INDEX "recommendations_of_run" ON "recommendations"("workspace_id", "forecast_run_id", "created_at" DESC, "id" DESC);

CREATE TABLE "forecast_paths" (
    "workspace_id" TEXT NOT NULL,
    "forecast_run_id" TEXT NOT NULL,
    "node" TEXT NOT NULL,
    "is_remainder" BOOLEAN NOT NULL,
    "horizon" INTEGER NOT NULL,
    "path_count" INTEGER NOT NULL,
    "paths" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "forecast_paths_pkey" PRIMARY KEY ("workspace_id","forecast_run_id","node","is_remainder")
);

-- Finds the recommendations of a kind and group that earlier runs made.
CREATE INDEX "recommendations_by_fingerprint" ON "recommendations"("workspace_id", "fingerprint");

CREATE TABLE "spaces" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "external_id" TEXT,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "parent_id" TEXT,
    "capacity" INTEGER,
    "area_m2" DOUBLE PRECISION,
    "annual_cost" BIGINT,
    "currency" TEXT,
    "avoidable_share" DOUBLE PRECISION,
    "country" TEXT,
    "subdivision" TEXT,
    "timezone" TEXT,
    "opening_hours" JSONB,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "spaces_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "teams" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "external_id" TEXT,
    "name" TEXT NOT NULL,
    "parent_id" TEXT,
    "headcount" INTEGER,
    "home_space_id" TEXT,
    "near" TEXT[],
    "fixed_space_ids" TEXT[],
    "excluded_space_ids" TEXT[],
    "max_floors" INTEGER,
    "contingency" DOUBLE PRECISION,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "datasets" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "data_source_id" TEXT NOT NULL,
    "mapping" JSONB NOT NULL,
    "space_map" JSONB NOT NULL DEFAULT '{}',
    "team_map" JSONB NOT NULL DEFAULT '{}',
    "timezone" TEXT,
    "unused_rows" JSONB NOT NULL DEFAULT '{}',
    "uses" JSONB NOT NULL DEFAULT '{}',
    "unmapped_rows" INTEGER NOT NULL DEFAULT 0,
    "unmapped_value" TEXT,
    "rows_read" BIGINT NOT NULL DEFAULT 0,
    "needs_refresh" BOOLEAN NOT NULL DEFAULT false,
    "feed_generation" INTEGER,
    "applied_page" BIGINT,
    "has_instants" BOOLEAN NOT NULL DEFAULT false,
    "reader_version" INTEGER NOT NULL DEFAULT 0,
    "last_refresh_id" TEXT,
    "refreshed_at" TIMESTAMPTZ(3),
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "datasets_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "dataset_values" (
    "dataset_id" TEXT NOT NULL,
    "value_id" SERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "rows" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "dataset_values_pkey" PRIMARY KEY ("dataset_id","value_id")
);

CREATE TABLE "workplace_people" (
    "workspace_id" TEXT NOT NULL,
    "digest" BYTEA NOT NULL,
    "person_id" SERIAL NOT NULL,

    CONSTRAINT "workplace_people_pkey" PRIMARY KEY ("workspace_id","digest")
);

CREATE TABLE "fact_segments" (
    "dataset_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "segment_id" BIGSERIAL NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "facts" BYTEA NOT NULL,

    CONSTRAINT "fact_segments_pkey" PRIMARY KEY ("dataset_id","day","segment_id")
);

CREATE TABLE "stale_weeks" (
    "workspace_id" TEXT NOT NULL,
    "week" DATE NOT NULL,
    "change_count" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "stale_weeks_pkey" PRIMARY KEY ("workspace_id","week")
);

CREATE TABLE "space_days" (
    "workspace_id" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "attendance" INTEGER,
    "attendance_source" TEXT,
    "source" TEXT,
    "open_hours" INTEGER NOT NULL,
    "hourly_attendance" INTEGER[],
    "hourly_average" REAL[],
    "hourly_peak" INTEGER[],
    "headcount" INTEGER,
    "is_raised" BOOLEAN NOT NULL DEFAULT false,
    "is_suppressed" BOOLEAN NOT NULL DEFAULT false,
    "suppressed_hours" INTEGER NOT NULL DEFAULT 0,
    "suppressed_levels" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "space_days_pkey" PRIMARY KEY ("workspace_id","space_id","day")
);

CREATE TABLE "team_days" (
    "workspace_id" TEXT NOT NULL,
    "team_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "attendance" INTEGER,
    "headcount" INTEGER,
    "source" TEXT,
    "is_suppressed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "team_days_pkey" PRIMARY KEY ("workspace_id","team_id","day")
);

CREATE TABLE "week_attendance" (
    "workspace_id" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "week" DATE NOT NULL,
    "attendance" INTEGER NOT NULL,
    "is_suppressed" BOOLEAN NOT NULL DEFAULT false,
    "usual_space_id" TEXT,

    CONSTRAINT "week_attendance_pkey" PRIMARY KEY ("workspace_id","subject","week")
);

CREATE TABLE "booking_days" (
    "workspace_id" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "booked" INTEGER NOT NULL,
    "used" INTEGER NOT NULL,
    "released" INTEGER NOT NULL,
    "no_shows" INTEGER NOT NULL,
    "unknown" INTEGER NOT NULL DEFAULT 0,
    "minutes_lost" INTEGER NOT NULL,

    CONSTRAINT "booking_days_pkey" PRIMARY KEY ("workspace_id","space_id","day")
);

CREATE TABLE "booking_months" (
    "workspace_id" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "month" DATE NOT NULL,
    "weekday" INTEGER NOT NULL,
    "until" DATE NOT NULL,
    "booked" INTEGER NOT NULL,
    "used" INTEGER NOT NULL,
    "released" INTEGER NOT NULL,
    "no_shows" INTEGER NOT NULL,
    "unknown" INTEGER NOT NULL,
    "minutes_lost" INTEGER NOT NULL,
    "is_suppressed" BOOLEAN NOT NULL,

    CONSTRAINT "booking_months_pkey" PRIMARY KEY ("workspace_id","space_id","month","weekday")
);

CREATE TABLE "booking_uses" (
    "workspace_id" TEXT NOT NULL,
    "dataset_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "value_id" INTEGER NOT NULL,
    "used" INTEGER NOT NULL,
    "unused" INTEGER NOT NULL,
    "blank" INTEGER NOT NULL,

    CONSTRAINT "booking_uses_pkey" PRIMARY KEY ("workspace_id","dataset_id","day","value_id")
);

CREATE TABLE "reader_days" (
    "dataset_id" TEXT NOT NULL,
    "value_id" INTEGER NOT NULL,
    "day" DATE NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "rows" INTEGER NOT NULL,
    "has_failed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "reader_days_pkey" PRIMARY KEY ("dataset_id","value_id","day")
);

CREATE TABLE "reader_gaps" (
    "dataset_id" TEXT NOT NULL,
    "value_id" INTEGER NOT NULL,
    "since" DATE NOT NULL,
    "until" DATE NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "expected_rows" INTEGER NOT NULL,

    CONSTRAINT "reader_gaps_pkey" PRIMARY KEY ("dataset_id","value_id","since")
);

CREATE TABLE "workplace_settings" (
    "workspace_id" TEXT NOT NULL,
    "privacy_threshold" INTEGER NOT NULL DEFAULT 5,
    "salt" BYTEA NOT NULL,

    CONSTRAINT "workplace_settings_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "plan_schedules" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "local_time" TEXT NOT NULL,
    "weekdays" TEXT[],
    "enabled" BOOLEAN NOT NULL,
    "scenario_id" TEXT,
    "parameters" JSONB NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_schedules_pkey" PRIMARY KEY ("id")
);

CREATE TABLE "plans" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "plan_schedule_id" TEXT NOT NULL,
    "space_id" TEXT NOT NULL,
    "space_name" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "title" TEXT NOT NULL,
    "headline" TEXT NOT NULL,
    "content" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plans_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "spaces_listed" ON "spaces"("workspace_id", "created_at" DESC, "id" DESC);

CREATE INDEX "spaces_by_parent" ON "spaces"("workspace_id", "parent_id");

CREATE UNIQUE INDEX "spaces_by_external_id" ON "spaces"("workspace_id", "external_id");

CREATE INDEX "teams_listed" ON "teams"("workspace_id", "created_at" DESC, "id" DESC);

CREATE INDEX "teams_by_parent" ON "teams"("workspace_id", "parent_id");

CREATE UNIQUE INDEX "teams_by_external_id" ON "teams"("workspace_id", "external_id");

CREATE INDEX "datasets_listed" ON "datasets"("workspace_id", "created_at" DESC, "id" DESC);

CREATE INDEX "datasets_by_source" ON "datasets"("workspace_id", "data_source_id");

CREATE UNIQUE INDEX "dataset_values_by_value" ON "dataset_values"("dataset_id", "role", "value");

CREATE INDEX "fact_segments_by_day" ON "fact_segments"("workspace_id", "day");

CREATE INDEX "space_days_by_day" ON "space_days"("workspace_id", "day");

CREATE INDEX "team_days_by_day" ON "team_days"("workspace_id", "day");

CREATE INDEX "reader_days_by_day" ON "reader_days"("workspace_id", "day");

CREATE INDEX "reader_gaps_by_workspace" ON "reader_gaps"("workspace_id");

CREATE INDEX "forecast_paths_by_time" ON "forecast_paths"("created_at");

CREATE INDEX "plan_schedules_listed" ON "plan_schedules"("workspace_id", "created_at" DESC, "id" DESC);

CREATE UNIQUE INDEX "plan_schedules_by_space" ON "plan_schedules"("workspace_id", "space_id");

CREATE INDEX "plans_listed" ON "plans"("workspace_id", "created_at" DESC, "id" DESC);

CREATE INDEX "plans_of_space" ON "plans"("workspace_id", "space_id", "created_at" DESC, "id" DESC);

CREATE INDEX "plans_by_time" ON "plans"("created_at");

-- One plan of a space and day, however often and by whom it is made.
CREATE UNIQUE INDEX "plans_by_day" ON "plans"("workspace_id", "space_id", "date");

-- Grants and row-level security
SELECT platform.protect(
  'booking_days', 'booking_months', 'booking_uses', 'dataset_values', 'datasets', 'fact_segments', 'forecast_paths',
  'plan_schedules', 'plans', 'reader_days', 'reader_gaps', 'space_days', 'spaces', 'stale_weeks', 'team_days', 'teams',
  'week_attendance', 'workplace_people', 'workplace_settings', 'recommendations'
);

GRANT USAGE ON SEQUENCE "dataset_values_value_id_seq", "workplace_people_person_id_seq", "fact_segments_segment_id_seq"
  TO wp_app, wp_worker;
