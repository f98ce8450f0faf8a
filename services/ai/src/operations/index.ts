import type { agents, ai, aiInternal, Operations } from '@wp/contracts'
import { quotaUsageOperation } from '@wp/database'
import { reportHealth } from '@wp/service'
import type { Context } from '../context.ts'
import { agentRunQuota, runningEvaluationQuota } from '../runs/queue.ts'
import { agentQuota, blueprintQuota, evaluationQuota, evaluationSetQuota, triggerQuota } from '../store/quotas.ts'
import { activateAgentVersion, createAgentVersion, getAgentVersion } from './agent-versions.ts'
import { approveRun } from './approve-run.ts'
import { getAgentBudget, getBudget, updateBudget } from './budgets.ts'
import { chat } from './chat.ts'
import { createAgent } from './create-agent.ts'
import { createBlueprint } from './create-blueprint.ts'
import { createBlueprintVersion } from './create-blueprint-version.ts'
import { deleteAgent } from './delete-agent.ts'
import { deleteConversation } from './delete-conversation.ts'
import {
  createEvaluationCase,
  deleteEvaluationCase,
  getEvaluationCase,
  importEvaluationCases,
  listEvaluationCases,
  updateEvaluationCase,
} from './evaluation-cases.ts'
import {
  createEvaluationSet,
  deleteEvaluationSet,
  exportEvaluationCases,
  getEvaluationSet,
  listEvaluationSets,
  updateEvaluationSet,
} from './evaluation-sets.ts'
import {
  cancelEvaluation,
  compareEvaluations,
  deleteEvaluation,
  getEvaluation,
  listEvaluationResults,
  listEvaluations,
  startEvaluation,
} from './evaluations.ts'
import { giveFeedback, listFeedback } from './feedback.ts'
import { listModels, listTools } from './list-models-and-tools.ts'
import { createOpenAiCompletion, listOpenAiModels } from './openai.ts'
import { getAgent, listAgents, listAgentVersions } from './read-agents.ts'
import { getBlueprint, listBlueprints, listBlueprintVersions } from './read-blueprints.ts'
import { getConversation, listConversations } from './read-conversations.ts'
import { resumeChat } from './resume-chat.ts'
import { runAgent } from './run-agent.ts'
import { cancelRun, getRun, listRuns } from './runs.ts'
import { streamRunEvents } from './stream-run-events.ts'
import { createTrigger, deleteTrigger, getTrigger, listTriggers, runTrigger, updateTrigger } from './triggers.ts'
import { updateAgent } from './update-agent.ts'

export const agentOperations = {
  health: reportHealth,
  listTools,
  listBlueprints,
  createBlueprint,
  getBlueprint,
  listBlueprintVersions,
  createBlueprintVersion,
  listAgents,
  createAgent,
  getAgent,
  updateAgent,
  deleteAgent,
  listAgentVersions,
  createAgentVersion,
  getAgentVersion,
  activateAgentVersion,
  startEvaluation,
  listEvaluations,
  getEvaluation,
  listEvaluationResults,
  compareEvaluations,
  cancelEvaluation,
  deleteEvaluation,
  listEvaluationSets,
  createEvaluationSet,
  getEvaluationSet,
  updateEvaluationSet,
  deleteEvaluationSet,
  listEvaluationCases,
  createEvaluationCase,
  getEvaluationCase,
  updateEvaluationCase,
  deleteEvaluationCase,
  importEvaluationCases,
  exportEvaluationCases,
  listTriggers,
  createTrigger,
  getTrigger,
  updateTrigger,
  deleteTrigger,
  runTrigger,
  getBudget,
  updateBudget,
  getAgentBudget,
} satisfies Operations<typeof agents, Context>

export const aiOperations = {
  runAgent,
  listRuns,
  getRun,
  streamRunEvents,
  cancelRun,
  approveRun,
  giveFeedback,
  listFeedback,
  chat,
  resumeChat,
  listConversations,
  getConversation,
  deleteConversation,
  listModels,
  createOpenAiCompletion,
  listOpenAiModels,
} satisfies Operations<typeof ai, Context>

export const internalOperations = {
  readQuotaUsage: quotaUsageOperation(
    ...[agentQuota, blueprintQuota, triggerQuota, evaluationSetQuota, evaluationQuota],
    ...[agentRunQuota, runningEvaluationQuota],
  ),
} satisfies Operations<typeof aiInternal, Context>
