-- CreateTable
CREATE TABLE "runs" (
    "run_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "agent_id" TEXT,
    "agent_version" INTEGER,
    "conversation_id" TEXT,
    "attempt" TEXT,
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "state" JSONB,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "is_estimated" BOOLEAN NOT NULL DEFAULT false,
    "call_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "call_output_length" INTEGER NOT NULL DEFAULT 0,
    "output" TEXT,
    "citations" JSONB NOT NULL DEFAULT '[]',
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("run_id")
);

-- CreateTable
CREATE TABLE "run_events" (
    "run_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "chunk" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","seq")
);

-- CreateTable
CREATE TABLE "run_steps" (
    "run_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "input" JSONB NOT NULL,
    "output" JSONB,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "duration_ms" INTEGER,
    "usage" JSONB,
    "approval" TEXT,
    "decided_by" TEXT,
    "decided_at" TIMESTAMPTZ(3),
    "reason" TEXT,

    CONSTRAINT "run_steps_pkey" PRIMARY KEY ("run_id","call_id")
);

-- CreateIndex
CREATE INDEX "runs_listed" ON "runs"("workspace_id", "created_at" DESC, "run_id" DESC);

-- CreateIndex
CREATE INDEX "runs_of_agent" ON "runs"("workspace_id", "agent_id", "created_at" DESC, "run_id" DESC);

-- CreateIndex
CREATE INDEX "runs_of_conversation" ON "runs"("workspace_id", "conversation_id", "created_at" DESC, "run_id" DESC);

-- CreateIndex
CREATE INDEX "run_events_expiry" ON "run_events"("created_at");

SELECT platform.protect('public.runs');
SELECT platform.protect('public.run_events');
SELECT platform.protect('public.run_steps');
