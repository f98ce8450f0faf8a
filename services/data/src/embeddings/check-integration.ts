import { integrationsInternal, Problem } from '@wp/contracts'
import type { Database } from '@wp/database'
import type { Log } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { saveEmbeddingSpace } from '../store/embeddings/embedding-spaces.ts'
import type { EmbeddingModels } from './embedding-models.ts'

interface Dependencies {
  pool: Database['worker']
  internal: InternalCalls
  models: EmbeddingModels
  log: Log
}

/**
 * Looks up the integration that embeds the records of a workspace, saves its embedding space, and updates which
 * integration the search of the workspace uses. An unusable integration counts as none.
 * @throws Problem `service_unavailable` if the integrations service is unavailable
 */
export async function checkIntegration(dependencies: Dependencies, workspaceId: string): Promise<void> {
  const { pool, log } = dependencies
  try {
    await updateIntegration(dependencies, workspaceId)
  } catch (err) {
    if (!(err instanceof Problem) || err.status >= 500) throw err
    log.warn({ event: 'embedding_integration.rejected', err, workspaceId }, 'embedding integration unusable')
    await saveEmbeddingSpace(pool, workspaceId, undefined)
  }
}

async function updateIntegration({ pool, internal, models }: Dependencies, workspaceId: string): Promise<void> {
  const model = await models.find(workspaceId, { bypassCache: true })
  const use = { service: 'data', type: 'search', id: workspaceId } as const
  if (model !== undefined)
    await internal.callDelegated(
      'embeddings',
      integrationsInternal.registerUse,
      { workspaceId },
      { params: { integration_id: model.integrationId }, body: use },
    )
  const previousId = await saveEmbeddingSpace(pool, workspaceId, model)
  if (previousId !== undefined && previousId !== model?.integrationId)
    await internal.callAsSystem(
      integrationsInternal.releaseUse,
      { workspaceId },
      { params: { integration_id: previousId, ...use } },
    )
}
