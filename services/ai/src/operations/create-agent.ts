import { enforceQuota, newId, retryOnConflict } from '@wp/database'
import { newAgentContent } from '../agents/agent-content.ts'
import { agentView } from '../agents/agent-view.ts'
import { checkDataSources } from '../agents/check-data-sources.ts'
import { checkInputSchema } from '../agents/input-schema/input-schema.ts'
import { addedReferences, changeWithIntegrations } from '../agents/integration-references.ts'
import { resolveBlueprint } from '../blueprints/resolve-blueprint.ts'
import type { Operation } from '../context.ts'
import { checkPrice, costLimitsAt } from '../models/check-price.ts'
import { insertAgent } from '../store/agents/agents.ts'
import { agentQuota } from '../store/quotas.ts'

export const createAgent: Operation<'createAgent'> = async (context, caller, { body }) => {
  const { workspaceId, principal } = caller
  const blueprint =
    body.blueprint_id === undefined
      ? undefined
      : await resolveBlueprint(context, workspaceId, body.blueprint_id, body.blueprint_version)
  const content = newAgentContent(body, blueprint)
  checkInputSchema(body.input_schema)
  await checkDataSources(context, caller, content.dataSourceIds)
  const { status, budget, autonomy, metadata, external_id: externalId } = body
  await checkPrice(context, caller, content.model, costLimitsAt('/budget', budget))
  const agent = {
    agentId: newId('agt'),
    content,
    status,
    budget,
    autonomy,
    metadata,
    externalId,
    createdBy: principal.id,
  }
  const use = { resourceId: agent.agentId, references: addedReferences(content, undefined, body, '/blueprint_id') }
  return retryOnConflict('agent', () =>
    changeWithIntegrations(context, caller, use, async (tx) => {
      const inserted = await insertAgent(tx.db, workspaceId, agent)
      await enforceQuota(tx.query, workspaceId, agentQuota)
      return agentView(inserted)
    }),
  )
}
