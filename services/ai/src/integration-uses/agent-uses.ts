import { Problem } from '@wp/contracts'
import { newId } from '@wp/database'
import { createIntegrationUses } from '@wp/service/integration-uses'
import { findAndLockAgent } from '../store/agents/agents.ts'
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
      const { content } = await findAndLockAgent(tx, workspaceId, agentId, 'share')
      return integrationIdsOf(content).includes(integrationId)
    } catch (error) {
      if (error instanceof Problem && error.code === 'not_found') return false
      throw error
    }
  },
})
