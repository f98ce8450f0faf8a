import type { agents, ai, aiInternal, Operations } from '@wp/contracts'
import type { Context } from '../context.ts'
import { health } from './health.ts'
import { pending } from './pending.ts'

export const agentOperations = {
  health,
  listTools: pending,
  listBlueprints: pending,
  createBlueprint: pending,
  getBlueprint: pending,
  listBlueprintVersions: pending,
  createBlueprintVersion: pending,
  listAgents: pending,
  createAgent: pending,
  getAgent: pending,
  updateAgent: pending,
  deleteAgent: pending,
  listAgentVersions: pending,
} satisfies Operations<typeof agents, Context>

export const aiOperations = {
  runAgent: pending,
  listRuns: pending,
  getRun: pending,
  streamRunEvents: pending,
  cancelRun: pending,
  approveRun: pending,
  chat: pending,
  listConversations: pending,
  getConversation: pending,
  deleteConversation: pending,
  listModels: pending,
} satisfies Operations<typeof ai, Context>

export const internalOperations = { readQuotaUsage: pending } satisfies Operations<typeof aiInternal, Context>
