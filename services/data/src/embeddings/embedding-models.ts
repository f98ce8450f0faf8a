import type { Log } from '@wp/runtime'
import { createHash } from 'node:crypto'
import { integrationsInternal, Problem } from '@wp/contracts'
import type { InternalCalls } from '@wp/service'
import { z } from 'zod'
import { createCache } from './cache.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import { type OutboundAccess, requestEmbeddings } from './request-embeddings.ts'

/** What the records and queries of a workspace are embedded with. */
export interface EmbeddingModel {
  integrationId: string
  /** Of the integration's configuration and secrets. */
  revision: number
  baseUrl: string
  model: string
  dimensions: number | undefined
  /** Names what vectors can be compared: those of one address, model and size. */
  space: string
}

/** The models of all workspaces. */
export interface EmbeddingModels {
  /**
   * The model of the oldest connected integration that has one; what was known ten seconds ago is taken for true, unless
   * it is to be `fresh`.
   * @throws Problem `service_unavailable` when integrations cannot be asked
   */
  find(workspaceId: string, options?: { fresh?: boolean }): Promise<EmbeddingModel | undefined>
  /** Has at most 64 texts embedded; how that went is kept by the integration. @throws EmbeddingFailure, Problem */
  embed(
    workspaceId: string,
    model: EmbeddingModel,
    inputs: readonly string[],
    options: { timeoutMs: number; signal?: AbortSignal },
  ): Promise<Float32Array[]>
  /** As `embed`, for what somebody waits for and may ask again. */
  embedQuery(workspaceId: string, model: EmbeddingModel, text: string): Promise<Float32Array>
}

const Config = z.object({
  base_url: z.string(),
  embedding_model: z.string(),
  embedding_dimensions: z.number().int().optional(),
})

/** How long what integrations said holds: which are connected, and their secrets, which are asked for with each use. */
const [modelMs, secretMs, outcomeMs] = [10_000, 60_000, 60_000]
const [maxWorkspaces, maxQueries] = [10_000, 500]

interface Options {
  internal: InternalCalls
  outside: OutboundAccess
  /** For a query: somebody waits, and without an answer there is search by words. */
  queryTimeoutMs: number
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}

export function createEmbeddingModels({ internal, outside, queryTimeoutMs, log, now }: Options): EmbeddingModels {
  const models = createCache<EmbeddingModel | undefined>({ most: maxWorkspaces, lastMs: modelMs, now })
  const keys = createCache<string | undefined>({ most: maxWorkspaces, lastMs: secretMs, now })
  const outcomes = createCache<true>({ most: maxWorkspaces, lastMs: outcomeMs, now })
  const queries = createCache<Float32Array>({ most: maxQueries, lastMs: Number.POSITIVE_INFINITY, now })

  async function find(workspaceId: string): Promise<EmbeddingModel | undefined> {
    const query = { provider: 'openai_compatible', with: 'embedding_model' } as const
    const { integrations } = await internal.callAsSystem(
      integrationsInternal.findConnected,
      { workspaceId },
      { params: {}, query, body: undefined },
    )
    const [oldest] = integrations
    if (oldest === undefined) return undefined
    const { base_url: baseUrl, embedding_model: model, embedding_dimensions: dimensions } = Config.parse(oldest.config)
    const space = createHash('sha256')
      .update(JSON.stringify([baseUrl, model, dimensions]))
      .digest('hex')
      .slice(0, 16)
    return { integrationId: oldest.integration_id, revision: oldest.revision, baseUrl, model, dimensions, space }
  }

  /** Given for each minute of use anew, and written down by integrations each time. */
  async function keyOf(workspaceId: string, { integrationId, revision }: EmbeddingModel): Promise<string | undefined> {
    const name = `${integrationId} ${revision}`
    if (keys.has(name)) return keys.get(name)
    const given = await internal
      .callAsSystem(
        integrationsInternal.resolveSecret,
        { workspaceId },
        { params: { integration_id: integrationId }, query: {}, body: undefined },
      )
      .catch((error: unknown) => {
        models.forget(workspaceId)
        if (error instanceof Problem && error.status < 500) throw integrationChanged(error)
        throw error
      })
    if (given.revision !== revision) {
      models.forget(workspaceId)
      throw integrationChanged()
    }
    keys.set(name, given.secrets.api_key)
    return given.secrets.api_key
  }

  /** What goes as before is said once a minute. */
  async function report(
    workspaceId: string,
    { integrationId, revision }: EmbeddingModel,
    failure?: EmbeddingFailure,
  ): Promise<void> {
    const outcome = failure === undefined ? 'ok' : failure.kind === 'unauthorized' ? 'unauthorized' : 'error'
    const name = `${integrationId} ${revision} ${outcome}`
    if (outcomes.has(name)) return
    outcomes.set(name, true)
    if (outcome !== 'ok') outcomes.forget(`${integrationId} ${revision} ok`)
    await internal
      .callAsSystem(
        integrationsInternal.reportUse,
        { workspaceId },
        {
          params: { integration_id: integrationId },
          query: {},
          body: { outcome, revision, ...(failure === undefined ? {} : { message: failure.message }) },
        },
      )
      .catch((err: unknown) => log.warn({ err, integrationId }, 'how an integration was used could not be said'))
    if (outcome === 'unauthorized') models.forget(workspaceId)
  }

  async function embed(
    workspaceId: string,
    model: EmbeddingModel,
    inputs: readonly string[],
    options: { timeoutMs: number; signal?: AbortSignal },
  ) {
    const apiKey = await keyOf(workspaceId, model)
    try {
      const vectors = await requestEmbeddings(outside, { ...model, apiKey }, inputs, options)
      void report(workspaceId, model)
      return vectors
    } catch (error) {
      // Texts that are not taken say nothing of the integration.
      if (error instanceof EmbeddingFailure && error.kind !== 'refused' && !options.signal?.aborted)
        await report(workspaceId, model, error)
      throw error
    }
  }

  return {
    async find(workspaceId, { fresh = false } = {}) {
      if (!fresh && models.has(workspaceId)) return models.get(workspaceId)
      const found = await find(workspaceId)
      models.set(workspaceId, found)
      return found
    },
    embed,
    async embedQuery(workspaceId, model, text) {
      const name = `${model.integrationId} ${model.revision} ${text}`
      const known = queries.get(name)
      if (known !== undefined) return known
      const [vector] = await embed(workspaceId, model, [text], { timeoutMs: queryTimeoutMs })
      if (vector === undefined) throw new EmbeddingFailure('unusable', 'The provider gave no embedding')
      queries.set(name, vector)
      return vector
    },
  }
}

const integrationChanged = (cause?: unknown) =>
  new EmbeddingFailure('unavailable', 'The integration that makes embeddings was changed meanwhile', { cause })
