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
CREATE INDEX "blueprints_listed" ON "blueprints"("workspace_id", "created_at" DESC, "id" DESC);

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
CREATE INDEX "blueprint_versions_listed" ON "blueprint_versions"("workspace_id", "blueprint_id", "version" DESC);

CREATE TABLE "agents" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL DEFAULT 1,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "budget" JSONB NOT NULL DEFAULT '{}',
    "gate" JSONB,
    "autonomy" TEXT NOT NULL DEFAULT 'guarded',
    "blueprint_id" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "external_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "agents_listed" ON "agents"("workspace_id", "created_at" DESC, "id" DESC);

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
CREATE INDEX "agent_versions_listed" ON "agent_versions"("workspace_id", "agent_id", "version" DESC);

CREATE TABLE "triggers" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "schedule" TEXT,
    "timezone" TEXT,
    "event" TEXT,
    "filter" JSONB,
    "input" JSON NOT NULL,
    "budget" JSONB NOT NULL DEFAULT '{}',
    "autonomy" TEXT,
    "is_enabled" BOOLEAN NOT NULL DEFAULT true,
    "caller" JSONB NOT NULL,
    "next_run_at" TIMESTAMPTZ(3),
    "last_run_id" TEXT,
    "last_run_at" TIMESTAMPTZ(3),
    "skipped_at" TIMESTAMPTZ(3),
    "skip_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "triggers_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "triggers_listed" ON "triggers"("workspace_id", "agent_id", "created_at" DESC, "id" DESC);
CREATE INDEX "triggers_of_event" ON "triggers"("workspace_id", "event");
CREATE INDEX "triggers_due" ON "triggers"("next_run_at");

CREATE TABLE "workspace_budgets" (
    "workspace_id" TEXT NOT NULL,
    "budget" JSONB NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "workspace_budgets_pkey" PRIMARY KEY ("workspace_id")
);

CREATE TABLE "runs" (
    "run_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "agent_id" TEXT,
    "agent_version" INTEGER,
    "conversation_id" TEXT,
    "trigger_id" TEXT,
    "trigger_depth" INTEGER NOT NULL DEFAULT 0,
    "evaluation_id" TEXT,
    "attempt" TEXT,
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "state" JSONB,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "is_estimated" BOOLEAN NOT NULL DEFAULT false,
    "call_input_tokens" INTEGER NOT NULL DEFAULT 0,
    "call_output_length" INTEGER NOT NULL DEFAULT 0,
    "cost_micros" BIGINT DEFAULT 0,
    "currency" TEXT,
    "call_price" JSONB,
    "output" TEXT,
    "citations" JSONB NOT NULL DEFAULT '[]',
    "warnings" JSONB NOT NULL DEFAULT '[]',
    "finish_reason" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "runs_pkey" PRIMARY KEY ("run_id")
);
CREATE INDEX "runs_listed" ON "runs"("workspace_id", "created_at" DESC, "run_id" DESC);
CREATE INDEX "runs_of_agent" ON "runs"("workspace_id", "agent_id", "created_at" DESC, "run_id" DESC);
CREATE INDEX "runs_of_conversation" ON "runs"("workspace_id", "conversation_id", "created_at" DESC, "run_id" DESC);
CREATE INDEX "runs_of_trigger" ON "runs"("workspace_id", "trigger_id", "created_at" DESC, "run_id" DESC);
CREATE INDEX "runs_of_evaluation" ON "runs"("workspace_id", "evaluation_id", "created_at" DESC, "run_id" DESC);

CREATE TABLE "run_events" (
    "run_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "chunk" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_events_pkey" PRIMARY KEY ("run_id","seq")
);
CREATE INDEX "run_events_expiry" ON "run_events"("created_at");

CREATE TABLE "run_steps" (
    "run_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "integration_id" TEXT,
    "title" TEXT,
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

CREATE TABLE "conversations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "principal_id" TEXT NOT NULL,
    "agent_id" TEXT,
    "chat_id" TEXT,
    "title" TEXT,
    "last_seq" INTEGER NOT NULL DEFAULT 0,
    "message_count" INTEGER NOT NULL DEFAULT 0,
    "summary" TEXT,
    "summarized_seq" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "conversations_listed" ON "conversations"("workspace_id", "created_at" DESC, "id" DESC);
CREATE INDEX "conversations_of_principal" ON "conversations"("workspace_id", "principal_id", "created_at" DESC, "id" DESC);
CREATE UNIQUE INDEX "conversations_of_chat" ON "conversations"("workspace_id", "principal_id", "chat_id");

CREATE TABLE "conversation_messages" (
    "conversation_id" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "message_id" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "citations" JSONB NOT NULL DEFAULT '[]',
    "run_id" TEXT,
    "is_superseded" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "conversation_messages_pkey" PRIMARY KEY ("conversation_id","seq")
);

CREATE TABLE "evaluation_sets" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "grader" JSONB,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "case_count" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "evaluation_sets_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "evaluation_sets_listed" ON "evaluation_sets"("workspace_id", "created_at" DESC, "id" DESC);

CREATE TABLE "evaluation_cases" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "set_id" TEXT NOT NULL,
    "name" TEXT,
    "input" JSON NOT NULL,
    "expected" JSON NOT NULL,
    "run_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "evaluation_cases_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "evaluation_cases_listed" ON "evaluation_cases"("workspace_id", "set_id", "created_at" DESC, "id" DESC);

CREATE TABLE "evaluations" (
    "id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "agent_id" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "set_id" TEXT NOT NULL,
    "set_revision" INTEGER NOT NULL,
    "grader" JSONB,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "error" JSONB,
    "max_tokens" INTEGER NOT NULL,
    "timeout_ms" INTEGER NOT NULL,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "evaluations_pkey" PRIMARY KEY ("id")
);
CREATE INDEX "evaluations_listed" ON "evaluations"("workspace_id", "created_at" DESC, "id" DESC);
CREATE INDEX "evaluations_of_version" ON "evaluations"("workspace_id", "agent_id", "set_id", "version", "created_at" DESC);

CREATE TABLE "evaluation_results" (
    "evaluation_id" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "case_id" TEXT NOT NULL,
    "name" TEXT,
    "input" JSON NOT NULL,
    "expected" JSON NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "outcome" TEXT,
    "reason" TEXT,
    "checks" JSONB NOT NULL DEFAULT '[]',
    "answer" TEXT,
    "refused_tools" JSONB NOT NULL DEFAULT '[]',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "run_id" TEXT,
    "grader_run_id" TEXT,
    "input_tokens" INTEGER NOT NULL DEFAULT 0,
    "output_tokens" INTEGER NOT NULL DEFAULT 0,
    "duration_ms" INTEGER,

    CONSTRAINT "evaluation_results_pkey" PRIMARY KEY ("evaluation_id","position")
);
CREATE INDEX "evaluation_results_of_status" ON "evaluation_results"("workspace_id", "status");

CREATE TABLE "run_feedback" (
    "run_id" TEXT NOT NULL,
    "principal_id" TEXT NOT NULL,
    "workspace_id" TEXT NOT NULL,
    "agent_id" TEXT,
    "rating" TEXT NOT NULL,
    "comment" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "run_feedback_pkey" PRIMARY KEY ("run_id","principal_id")
);
CREATE INDEX "run_feedback_listed" ON "run_feedback"("workspace_id", "created_at" DESC, "run_id" DESC);

-- Grants and row-level security
SELECT platform.protect(
  'blueprints', 'blueprint_versions', 'agents', 'agent_versions', 'triggers', 'workspace_budgets', 'runs',
  'run_events', 'run_steps', 'conversations', 'conversation_messages', 'evaluation_sets', 'evaluation_cases',
  'evaluations', 'evaluation_results', 'run_feedback'
);
