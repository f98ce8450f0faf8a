import { quotaUsageOperation } from '@wp/database'
import { agentRunQuota, runningEvaluationQuota } from '../runs/queue.ts'
import { agentQuota, blueprintQuota, evaluationQuota, evaluationSetQuota, triggerQuota } from '../store/quotas.ts'

// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { reportHealth as health } from '@wp/service'
export { activateAgentVersion, createAgentVersion, getAgentVersion } from './agent-versions.ts'
export { approveRun } from './approve-run.ts'
export { getAgentBudget, getBudget, updateBudget } from './budgets.ts'
export { chat } from './chat.ts'
export { createAgent } from './create-agent.ts'
export { createBlueprint } from './create-blueprint.ts'
export { createBlueprintVersion } from './create-blueprint-version.ts'
export { deleteAgent } from './delete-agent.ts'
export { deleteConversation } from './delete-conversation.ts'
export {
  createEvaluationCase,
  deleteEvaluationCase,
  getEvaluationCase,
  importEvaluationCases,
  listEvaluationCases,
  updateEvaluationCase,
} from './evaluation-cases.ts'
export {
  createEvaluationSet,
  deleteEvaluationSet,
  exportEvaluationCases,
  getEvaluationSet,
  listEvaluationSets,
  updateEvaluationSet,
} from './evaluation-sets.ts'
export {
  cancelEvaluation,
  compareEvaluations,
  deleteEvaluation,
  getEvaluation,
  listEvaluationResults,
  listEvaluations,
  startEvaluation,
} from './evaluations.ts'
export { giveFeedback, listFeedback } from './feedback.ts'
export { listModels, listTools } from './list-models-and-tools.ts'
export { createOpenAiCompletion, getOpenAiModel, listOpenAiModels } from './openai.ts'
export { getAgent, listAgents, listAgentVersions } from './read-agents.ts'
export { getBlueprint, listBlueprints, listBlueprintVersions } from './read-blueprints.ts'
export { getConversation, listConversations } from './read-conversations.ts'
export { resumeChat } from './resume-chat.ts'
export { runAgent } from './run-agent.ts'
export { cancelRun, getRun, listRuns } from './runs.ts'
export { streamRunEvents } from './stream-run-events.ts'
export { createTrigger, deleteTrigger, getTrigger, listTriggers, runTrigger, updateTrigger } from './triggers.ts'
export { updateAgent } from './update-agent.ts'

export const readQuotaUsage = quotaUsageOperation(
  ...[agentQuota, blueprintQuota, triggerQuota, evaluationSetQuota, evaluationQuota],
  ...[agentRunQuota, runningEvaluationQuota],
)
