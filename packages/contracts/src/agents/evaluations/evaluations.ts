import { declareEndpoints } from '../../core/endpoint/endpoint.ts'
import { Agent, AgentVersion, NewAgentVersion } from '../shapes.ts'
import { triggersPath } from '../trigger-shapes.ts'
import {
  Activation,
  agentVersionPath,
  comparisonQuery,
  Evaluation,
  EvaluationComparison,
  EvaluationDetail,
  EvaluationResult,
  evaluationPath,
  evaluationsQuery,
  NewEvaluation,
  resultsQuery,
} from './evaluation-shapes.ts'

const path = '/v1/agents/evaluations'
const versions = '/v1/agents/agents/{agent_id}/versions'

/** Evaluations of versions of agents, and the versions that they decide about. */
export const agentEvaluations = declareEndpoints('agents', {
  createAgentVersion: {
    method: 'POST',
    path: versions,
    summary: 'Create a version of an agent that is not active yet',
    description:
      'Fields that are left out are those of the active version. Evaluate it, then activate it. Data sources and ' +
      'integrations require the same scopes as in a change of the agent.',
    scope: 'agents:write',
    params: triggersPath,
    body: NewAgentVersion,
    created: AgentVersion,
    location: `${versions}/{version}`,
    errors: ['unknown_reference', 'conflict'],
    audit: { action: 'agent.version_created', target: 'agent', field: 'agent_id' },
  },
  getAgentVersion: {
    method: 'GET',
    path: `${versions}/{version}`,
    summary: 'Read a version of an agent',
    description: 'Returns what the version does, and how it differs from the one before it.',
    scope: 'agents:read',
    params: agentVersionPath,
    ok: AgentVersion,
  },
  activateAgentVersion: {
    method: 'POST',
    path: `${versions}/{version}/activate`,
    summary: 'Make a version of an agent the active one, also an earlier one',
    description:
      'Runs that are started from then on use it. If the agent has a `gate`, the last finished evaluation of the version ' +
      'with the cases of the set as they are now must pass it; otherwise 409 `gate_not_passed`, with `failing_cases`.',
    scope: 'agents:write',
    params: agentVersionPath,
    body: Activation,
    ok: Agent,
    errors: ['gate_not_passed', 'conflict', 'unknown_reference'],
    audit: { action: 'agent.version_activated', target: 'agent', field: 'agent_id' },
  },
  startEvaluation: {
    method: 'POST',
    path,
    summary: 'Evaluate a version of an agent with the cases of a set',
    description:
      'Runs the version once for each case, in the background, and checks the answers. Runs act for the caller, and count ' +
      'towards the budget of the agent and the limits of the plan. Tools that need an approval, or that change ' +
      'something, are not called: the model is told so, and the result names them. Requires `agents:run` too.',
    scope: 'agents:write',
    body: NewEvaluation,
    accepted: Evaluation,
    location: `${path}/{id}`,
    errors: ['unknown_reference', 'quota_exceeded', 'model_not_configured', 'missing_scope'],
    audit: { action: 'evaluation.started', target: 'evaluation', field: 'id' },
  },
  listEvaluations: {
    method: 'GET',
    path,
    summary: 'List evaluations',
    description: 'Lists the evaluations of the workspace, newest first.',
    scope: 'agents:read',
    query: evaluationsQuery,
    list: Evaluation,
  },
  getEvaluation: {
    method: 'GET',
    path: `${path}/{id}`,
    summary: 'Read an evaluation, and what the gate of the agent says about the version',
    description: 'Poll it until `status` is `finished`, `failed` or `cancelled`.',
    scope: 'agents:read',
    params: evaluationPath,
    ok: EvaluationDetail,
  },
  listEvaluationResults: {
    method: 'GET',
    path: `${path}/{id}/results`,
    summary: 'List the results of an evaluation, case by case',
    description: 'In the order of the cases, with the answer, every check, tokens and time.',
    scope: 'agents:read',
    params: evaluationPath,
    query: resultsQuery,
    list: EvaluationResult,
  },
  compareEvaluations: {
    method: 'GET',
    path: `${path}/{id}/comparison`,
    summary: 'Compare an evaluation with another one of the same set',
    description: 'Returns the cases that became worse, better or stayed equal. Both must be finished.',
    scope: 'agents:read',
    params: evaluationPath,
    query: comparisonQuery,
    ok: EvaluationComparison,
    errors: ['conflict', 'unknown_reference'],
  },
  cancelEvaluation: {
    method: 'POST',
    path: `${path}/{id}/cancel`,
    summary: 'Cancel an evaluation that has not ended',
    description: 'Its runs in progress are cancelled. The results so far remain.',
    scope: 'agents:run',
    params: evaluationPath,
    ok: Evaluation,
    errors: ['conflict'],
    audit: { action: 'evaluation.cancelled', target: 'evaluation', field: 'id' },
  },
  deleteEvaluation: {
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete an evaluation that has ended, with its results',
    description: 'Its runs remain. A gate no longer counts it.',
    scope: 'agents:write',
    params: evaluationPath,
    deleted: 'id',
    errors: ['conflict'],
    audit: { action: 'evaluation.deleted', target: 'evaluation', field: 'id' },
  },
})
