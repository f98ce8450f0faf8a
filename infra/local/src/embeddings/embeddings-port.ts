import { readPort } from '../options.ts'
import { UsageError } from '../usage-error.ts'

/** Stable, because a workspace chooses an integration at its address. */
const defaultPort = 8090

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
