-- CreateTable
CREATE TABLE "usage_totals" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "quantity" BIGINT NOT NULL,

    CONSTRAINT "usage_totals_pkey" PRIMARY KEY ("workspace_id","meter","hour")
);

-- CreateTable
CREATE TABLE "usage_by_dimension" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "hour" TIMESTAMPTZ(3) NOT NULL,
    "dimension" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "quantity" BIGINT NOT NULL,

    CONSTRAINT "usage_by_dimension_pkey" PRIMARY KEY ("workspace_id","dimension","meter","hour","value")
);

-- CreateTable
CREATE TABLE "usage_checks" (
    "workspace_id" TEXT NOT NULL,
    "shard" TEXT NOT NULL,
    "version" BIGINT NOT NULL,

    CONSTRAINT "usage_checks_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "usage_thresholds" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "period_start" TIMESTAMPTZ(3) NOT NULL,
    "included" BIGINT NOT NULL,
    "percent" INTEGER NOT NULL,

    CONSTRAINT "usage_thresholds_pkey" PRIMARY KEY ("workspace_id","meter","period_start","included","percent")
);

-- CreateTable
CREATE TABLE "meter_limits" (
    "workspace_id" TEXT NOT NULL,
    "meter" TEXT NOT NULL,
    "exhausted" BOOLEAN NOT NULL,
    "period_end" TIMESTAMPTZ(3) NOT NULL,
    "version" INTEGER NOT NULL,

    CONSTRAINT "meter_limits_pkey" PRIMARY KEY ("workspace_id","meter")
);

-- CreateIndex
CREATE INDEX "usage_checks_version_idx" ON "usage_checks"("version");

SELECT platform.protect('public.usage_totals');
SELECT platform.protect('public.usage_by_dimension');
SELECT platform.protect('public.usage_checks');
SELECT platform.protect('public.usage_thresholds');
SELECT platform.protect('public.meter_limits');
