import { z } from 'zod'
import { declareEndpoints, servedBy } from '../core/endpoint/endpoint.ts'
import { resourceName } from '../core/shape/resource-name.ts'
import { listQuery, metadataFilter, searchFilter, text } from '../core/shape/shape.ts'
import { agentBudgets } from './budgets.ts'
import { agentEvaluations } from './evaluations/evaluations.ts'
import { evaluationSets } from './evaluations/sets.ts'
import {
  Agent,
  AgentPatch,
  AgentTool,
  AgentVersion,
  agentPath,
  agentStates,
  Blueprint,
  BlueprintVersion,
  blueprintPath,
  NewAgent,
  NewBlueprint,
  NewBlueprintVersion,
} from './shapes.ts'
import { agentTriggers } from './triggers.ts'

/** Agents, and the blueprints they are made from. Their runs are in the surface `ai`. */
export const agents = servedBy(
  'ai',
  declareEndpoints('agents', {
    health: {
      method: 'GET',
      path: '/v1/agents/health',
      summary: 'Read the health of the agents service',
      description: 'Reports whether the service reaches its database and the broker. No credential is needed.',
      credentials: 'none',
      limitClass: 'metadata',
      ok: z.object({
        status: z
          .enum(['ok', 'degraded'])
          .describe('`ok`, or `degraded` if the database or the broker cannot be reached'),
      }),
    },
    listTools: {
      method: 'GET',
      path: '/v1/agents/tools',
      summary: 'List the built-in tools of agents',
      description:
        'An agent can use the tools that its `tools` name. Tools of connected MCP servers are not listed here.',
      scope: 'agents:read',
      query: listQuery({}),
      list: AgentTool,
    },
    listBlueprints: {
      method: 'GET',
      path: '/v1/agents/blueprint',
      summary: 'List blueprints, the built-in ones last',
      description: 'A blueprint is a versioned template from which agents are made.',
      scope: 'agents:read',
      callers: ['mcp'],
      query: listQuery({
        name: resourceName(200).optional(),
        search: searchFilter('the name'),
        built_in: z.stringbool().optional().describe('Only built-in blueprints, or only those of the workspace'),
        external_id: text(200).optional(),
        metadata: metadataFilter(),
      }),
      list: Blueprint,
    },
    createBlueprint: {
      method: 'POST',
      path: '/v1/agents/blueprint',
      summary: 'Create a blueprint',
      description: 'Integrations of tools or of the model require the scope `integrations:read` too.',
      scope: 'agents:write',
      body: NewBlueprint,
      created: Blueprint,
      location: '/v1/agents/blueprint/{id}',
      errors: ['unknown_reference', 'quota_exceeded'],
      audit: { action: 'blueprint.created', target: 'blueprint', field: 'id' },
    },
    getBlueprint: {
      method: 'GET',
      path: '/v1/agents/blueprint/{id}',
      summary: 'Read the current version of a blueprint',
      description: 'Returns the instructions, the model, the tools and the input schema of the current version.',
      scope: 'agents:read',
      callers: ['mcp'],
      params: blueprintPath,
      ok: Blueprint,
    },
    listBlueprintVersions: {
      method: 'GET',
      path: '/v1/agents/blueprint/{id}/versions',
      summary: 'List the versions of a blueprint with their differences, newest first',
      description: 'Each version lists the fields that differ from the one before it.',
      scope: 'agents:read',
      params: blueprintPath,
      query: listQuery({}),
      list: BlueprintVersion,
    },
    createBlueprintVersion: {
      method: 'POST',
      path: '/v1/agents/blueprint/{id}/versions',
      summary: 'Create a new version of a blueprint',
      description: 'Versions cannot be changed. Agents keep the version they were made from.',
      scope: 'agents:write',
      params: blueprintPath,
      body: NewBlueprintVersion,
      created: Blueprint,
      location: '/v1/agents/blueprint/{id}',
      errors: ['unknown_reference', 'conflict'],
      audit: { action: 'blueprint.version_created', target: 'blueprint', field: 'id' },
    },
    listAgents: {
      method: 'GET',
      path: '/v1/agents/agents',
      summary: 'List agents',
      description: 'Lists the agents of the workspace, newest first.',
      scope: 'agents:read',
      query: listQuery({
        name: resourceName(200).optional(),
        search: searchFilter('the name'),
        status: z.enum(agentStates).optional(),
        blueprint_id: text(100).optional().describe('Only agents that were made from this blueprint'),
        external_id: text(200).optional(),
        metadata: metadataFilter(),
      }),
      list: Agent,
      tool: { name: 'list_agents', hints: { readOnly: true } },
    },
    createAgent: {
      method: 'POST',
      path: '/v1/agents/agents',
      summary: 'Create an agent, from a blueprint or from scratch',
      description:
        'Data sources require the scope `data:read` too, and integrations of tools or of the model `integrations:read`.',
      scope: 'agents:write',
      body: NewAgent,
      created: Agent,
      location: '/v1/agents/agents/{agent_id}',
      errors: ['unknown_reference', 'quota_exceeded'],
      audit: { action: 'agent.created', target: 'agent', field: 'agent_id' },
    },
    getAgent: {
      method: 'GET',
      path: '/v1/agents/agents/{agent_id}',
      summary: 'Read an agent',
      description:
        'Returns the instructions, the model, the tools and the data sources of the agent. `version` grows with each change.',
      scope: 'agents:read',
      params: agentPath,
      ok: Agent,
    },
    updateAgent: {
      method: 'PATCH',
      path: '/v1/agents/agents/{agent_id}',
      summary: 'Change an agent; a change of its behaviour creates a new version',
      description:
        'Name, description and behaviour belong to a version; status, metadata and external id do not. A request that ' +
        'changes nothing creates no version. The new version is active at once; if the agent has a `gate`, a change that ' +
        'needs a version is 409 `gate_not_passed`: create the version, evaluate and activate it. To set or remove the ' +
        '`gate` requires `agents:gate` too. Data sources that are added require the scope `data:read` too; ' +
        'integrations that are added, and another model, method or tool of one, `integrations:read`. Runs keep the ' +
        'version that they were started with.',
      scope: 'agents:write',
      params: agentPath,
      body: AgentPatch,
      ok: Agent,
      errors: ['unknown_reference', 'conflict', 'gate_not_passed'],
      audit: { action: 'agent.updated', target: 'agent', field: 'agent_id' },
    },
    deleteAgent: {
      method: 'DELETE',
      path: '/v1/agents/agents/{agent_id}',
      summary: 'Delete an agent; its queued and running runs are cancelled, the others remain readable',
      description: 'It cannot be undone. To stop new runs only, set `status` to `archived` instead.',
      scope: 'agents:write',
      params: agentPath,
      deleted: 'agent_id',
      audit: { action: 'agent.deleted', target: 'agent', field: 'agent_id' },
    },
    listAgentVersions: {
      method: 'GET',
      path: '/v1/agents/agents/{agent_id}/versions',
      summary: 'List the versions of an agent with their differences, newest first',
      description: 'Each version lists the fields that differ from the one before it.',
      scope: 'agents:read',
      params: agentPath,
      query: listQuery({}),
      list: AgentVersion,
    },
    ...agentEvaluations,
    ...evaluationSets,
    ...agentTriggers,
    ...agentBudgets,
  }),
)
