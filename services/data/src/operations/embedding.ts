import { invalidField, problem, type RequestCaller } from '@wp/contracts'
import { requireScope } from '@wp/service'
import type { Context, Operation } from '../context.ts'
import {
  type EmbeddingChoice,
  embeddingChoiceQueue,
  readEmbeddingChoice,
  readEmbeddingState,
  saveEmbeddingChoice,
} from '../store/embeddings/embedding-choice.ts'
import { embeddingView } from '../views.ts'

/** Chooses what embeds the records of a workspace, at the present address of the integration. */
export const updateEmbedding: Operation<'updateEmbedding'> = async ({ database, models }, caller, { body }) => {
  const { workspaceId } = caller
  requireScope(caller, 'integrations:read', 'Choosing an integration for embeddings')
  const before = await database.read(caller, (_db, query) => readEmbeddingChoice(query, workspaceId))
  const integrationId = body.integration_id === undefined ? (before?.integrationId ?? null) : body.integration_id
  const isSame = integrationId === before?.integrationId
  const model = body.model === undefined ? (isSame ? (before?.model ?? null) : null) : body.model
  if (integrationId === null && model !== null) throw invalidField('/model', 'requires an `integration_id`')
  const choice = integrationId === null ? undefined : await completeChoice(models, caller, { integrationId, model })
  return database.transact(caller, async (tx) => {
    const { query } = tx
    await saveEmbeddingChoice(query, workspaceId, choice)
    tx.wake(embeddingChoiceQueue)
    return embeddingView(workspaceId, await readEmbeddingState(query, workspaceId))
  })
}

/** Looks up the address of the integration. @throws Problem if the choice cannot embed anything */
async function completeChoice(
  models: Context['models'],
  caller: RequestCaller,
  choice: Omit<EmbeddingChoice, 'baseUrl'>,
): Promise<EmbeddingChoice> {
  const found = await models.inspect(caller, choice.integrationId).catch((cause: unknown) => {
    throw problem('service_unavailable', { detail: 'The integrations service is unavailable; retry shortly', cause })
  })
  if (found === undefined)
    throw invalidField(
      '/integration_id',
      'is not a connected integration of the provider openai_compatible in this workspace',
      'unknown_reference',
    )
  if (choice.model === null && found.model === undefined)
    throw invalidField('/model', 'is required: the integration has no `embedding_model`')
  return { ...choice, baseUrl: found.baseUrl }
}

export const getEmbedding: Operation<'getEmbedding'> = ({ database }, caller) =>
  database.read(caller, async (_db, query) =>
    embeddingView(caller.workspaceId, await readEmbeddingState(query, caller.workspaceId)),
  )
