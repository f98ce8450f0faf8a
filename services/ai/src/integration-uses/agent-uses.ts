import { Problem } from '@wp/contracts'
import { newId } from '@wp/database'
import { createIntegrationUses } from '@wp/service/integration-uses'
import { findAgent, lockAgent } from '../store/agents/agents.ts'
import type { Client } from '../store/client.ts'
import { integrationIdsOf } from './integration-references.ts'

/** The uses of integrations by agents. */
export const { changeWithIntegrations, enqueueRelease, releaseJobs } = createIntegrationUses<Client>({
  service: 'ai',
  type: 'agent',
  purpose: 'Giving an agent integrations',
  newJobId: () => newId('agt'),
  async lockUse(tx, { resourceId: agentId, integrationId }) {
    const workspaceId = tx.workspaceId ?? ''
    try {
      await lockAgent(tx.query, workspaceId, agentId, 'share')
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return false
      throw error
    }
    return integrationIdsOf((await findAgent(tx.db, workspaceId, agentId)).content).includes(integrationId)
  },
})
