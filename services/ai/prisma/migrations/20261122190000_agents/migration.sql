-- CreateTable
CREATE TABLE "blueprints" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "blueprints_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blueprint_versions" (
    "workspace_id" TEXT NOT NULL,
    "blueprint_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "model" JSON NOT NULL,
    "tools" JSON NOT NULL,
    "input_schema" JSON,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT,

    CONSTRAINT "blueprint_versions_pkey" PRIMARY KEY ("blueprint_id","version")
);

-- CreateTable
CREATE TABLE "agents" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "blueprint_id" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agent_versions" (
    "workspace_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "instructions" TEXT NOT NULL,
    "model" JSON NOT NULL,
    "tools" JSON NOT NULL,
    "input_schema" JSON,
    "data_source_ids" JSON NOT NULL,
    "blueprint_id" TEXT,
    "blueprint_version" INTEGER,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "created_by" TEXT,

    CONSTRAINT "agent_versions_pkey" PRIMARY KEY ("agent_id","version")
);

-- CreateIndex
CREATE INDEX "blueprints_listed" ON "blueprints"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "blueprint_versions_listed" ON "blueprint_versions"("workspace_id", "blueprint_id", "version" DESC);

-- CreateIndex
CREATE INDEX "agents_listed" ON "agents"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agent_versions_listed" ON "agent_versions"("workspace_id", "agent_id", "version" DESC);

SELECT platform.protect('public.blueprints');
SELECT platform.protect('public.blueprint_versions');
SELECT platform.protect('public.agents');
SELECT platform.protect('public.agent_versions');
