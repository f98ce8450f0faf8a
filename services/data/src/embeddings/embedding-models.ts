import type { RequestCaller } from '@wp/contracts'
import type { Log } from '@wp/runtime'
import type { InternalCalls } from '@wp/service'
import { LRUCache } from 'lru-cache'
import type { EmbeddingChoice } from '../store/embeddings/embedding-choice.ts'
import { EmbeddingFailure } from './embedding-failure.ts'
import {
  type EmbeddingModel,
  type EmbeddingProvider,
  type TextRole,
  toEmbeddingModel,
  toEmbeddingProvider,
} from './embedding-model.ts'
import { type OutboundAccess, requestEmbeddings } from './request-embeddings.ts'
import { requestApiKey, requestIntegration, requestIntegrationFor } from './request-integration.ts'
import { createUsageReporter } from './usage-reporter.ts'

interface EmbedOptions {
  timeoutMs: number
  signal?: AbortSignal
}

/** The embedding models of all workspaces. */
export interface EmbeddingModels {
  /**
   * Returns the model that the workspace has chosen; undefined if it has chosen none, or if the integration cannot be
   * used. The choice is read each time, the integration is cached for 10 s.
   * @throws Problem `service_unavailable` if the integrations service is unavailable
   */
  find(workspaceId: string, options?: { bypassCache?: boolean }): Promise<EmbeddingModel | undefined>
  /**
   * Returns what a connected integration offers, on behalf of a caller; undefined if it is not connected.
   * @throws Problem `missing_scope` without `integrations:read`
   */
  inspect(caller: RequestCaller, integrationId: string): Promise<EmbeddingProvider | undefined>
  /**
   * Embeds at most 64 parts of records and reports the outcome to the integration. @throws EmbeddingFailure, Problem
   */
  embed(
    workspaceId: string,
    model: EmbeddingModel,
    inputs: readonly string[],
    options: EmbedOptions,
  ): Promise<Float32Array[]>
  /** Embeds a search query within the query timeout. Cached. @throws as `embed` */
  embedQuery(workspaceId: string, model: EmbeddingModel, text: string, signal: AbortSignal): Promise<Float32Array>
}

/** Reading a secret is audited, so each key is read at most once a minute. */
const [modelTtlMs, keyTtlMs] = [10_000, 60_000]
const [maxWorkspaces, maxQueries] = [10_000, 500]

interface Options {
  internal: InternalCalls
  outboundAccess: OutboundAccess
  readChoice: (workspaceId: string) => Promise<EmbeddingChoice | undefined>
  /** Short, because a user waits and a search by words is the fallback. */
  queryTimeoutMs: number
  log: Log
  /** Milliseconds since 1970. */
  now: () => number
}

/** Longer than most functions: its steps share the caches. */
export function createEmbeddingModels(options: Options): EmbeddingModels {
  const { internal, outboundAccess, readChoice, queryTimeoutMs, now } = options
  const { models, keys, queries } = createCaches(now)
  const report = createUsageReporter(options)

  async function findApiKey(workspaceId: string, model: EmbeddingModel): Promise<string | undefined> {
    const cacheKey = revisionKey(model)
    const cached = keys.get(cacheKey)
    if (cached !== undefined) return cached.apiKey
    try {
      const apiKey = await requestApiKey(internal, workspaceId, model)
      keys.set(cacheKey, { apiKey })
      return apiKey
    } catch (error) {
      models.delete(workspaceId)
      throw error
    }
  }

  async function embedAs(
    role: TextRole,
    workspaceId: string,
    model: EmbeddingModel,
    inputs: readonly string[],
    { timeoutMs, signal }: EmbedOptions,
  ): Promise<Float32Array[]> {
    const apiKey = await findApiKey(workspaceId, model)
    const options = { role, timeoutMs, signal, now }
    try {
      const vectors = await requestEmbeddings(outboundAccess, { ...model, apiKey }, inputs, options)
      void report(workspaceId, model)
      return vectors
    } catch (error) {
      if (error instanceof EmbeddingFailure && isIntegrationFault(error, signal)) {
        await report(workspaceId, model, error)
        if (error.kind === 'unauthorized') models.delete(workspaceId)
      }
      throw error
    }
  }

  return {
    embed: (workspaceId, model, ...texts) => embedAs(model.documentRole, workspaceId, model, ...texts),
    async find(workspaceId, { bypassCache = false } = {}) {
      const choice = await readChoice(workspaceId)
      if (choice === undefined) return undefined
      const key = JSON.stringify(choice)
      const cached = bypassCache ? undefined : models.get(workspaceId)
      if (cached?.key === key) return cached.model
      const integration = await requestIntegration(internal, workspaceId, choice.integrationId)
      const model = integration && toEmbeddingModel(integration, choice)
      models.set(workspaceId, { key, model })
      return model
    },
    async inspect(caller, integrationId) {
      const integration = await requestIntegrationFor(internal, caller, integrationId)
      return integration && toEmbeddingProvider(integration)
    },
    async embedQuery(workspaceId, model, text, signal) {
      const cacheKey = `${revisionKey(model)} ${text}`
      const cached = queries.get(cacheKey)
      if (cached !== undefined) return cached
      const options = { timeoutMs: queryTimeoutMs, signal }
      const [vector] = await embedAs(model.queryRole, workspaceId, model, [text], options)
      if (vector === undefined) throw new EmbeddingFailure('unusable', 'The embedding provider returned no embedding')
      queries.set(cacheKey, vector)
      return vector
    },
  }
}

function createCaches(now: () => number) {
  const bounds = { max: maxWorkspaces, ttlResolution: 0, perf: { now } }
  return {
    /** By workspace; valid for one choice. */
    models: new LRUCache<string, { key: string; model: EmbeddingModel | undefined }>({ ...bounds, ttl: modelTtlMs }),
    // Entries wrap their value, because the cache cannot hold `undefined`.
    keys: new LRUCache<string, { apiKey: string | undefined }>({ ...bounds, ttl: keyTtlMs }),
    queries: new LRUCache<string, Float32Array>({ max: maxQueries }),
  }
}

const revisionKey = ({ integrationId, revision }: EmbeddingModel): string => `${integrationId} ${revision}`

/** Returns false for refused texts and aborted requests, which say nothing about the integration. */
const isIntegrationFault = ({ kind }: EmbeddingFailure, signal: AbortSignal | undefined): boolean =>
  kind !== 'refused' && signal?.aborted !== true
