-- CreateTable
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

-- CreateTable
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

-- CreateIndex
CREATE UNIQUE INDEX "conversations_of_chat" ON "conversations"("workspace_id", "principal_id", "chat_id");

-- CreateIndex
CREATE INDEX "conversations_listed" ON "conversations"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "conversations_of_principal" ON "conversations"("workspace_id", "principal_id", "created_at" DESC, "id" DESC);

SELECT platform.protect('public.conversations');
SELECT platform.protect('public.conversation_messages');
