import { createSigner, createVerifier } from '../assertions/assertion.ts'
import { openKeyRing, readSigningKey } from '../assertions/keys.ts'
import { createInternalCalls } from '../calls/internal-calls.ts'
import { createUpstreams } from '../calls/upstreams.ts'
import { servedShards } from '../config/cells.ts'
import type { ProcessConfig } from '../config/config.ts'
import { ConfigError, drainOptionsOf, readConfig } from '../config/config.ts'
import { listen } from '../http/server.ts'
import { createLogger, type Logger } from '../telemetry/logger.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import type { ServiceDefinition, Worker } from './service.ts'

/** A process of the fleet that runs. */
export interface RunningService {
  name: string
  url: string
  /** Drains, lets requests and jobs end or hands them back, closes. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** Whether this service has the process to itself; then it also reports on the process. */
  hasOwnProcess?: boolean
  log?: Logger
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Starts one service: configuration, context, workers, listening.
 * @throws ConfigError naming every bad variable; any other error when a part could not start, after closing the rest
 */
export async function startService(
  definition: ServiceDefinition,
  env: Env,
  options: StartOptions = {},
): Promise<RunningService> {
  const config: ProcessConfig = readConfig(definition.config, env)
  const log = options.log ?? createLogger(definition.name, config.LOG_LEVEL)
  const metrics = createMetrics(definition.name, { process: options.hasOwnProcess ?? false })
  const upstreams = createUpstreams(config)
  const [signingKey, keys] = await Promise.all([
    readSigningKey(config.ASSERTION_KEY_FILE, definition.name),
    openKeyRing(config.ASSERTION_KEYS_FILE),
  ])
  const internal = createInternalCalls({
    signer: createSigner(signingKey),
    upstreams,
    shard: config.SHARD,
    location: config.LOCATION,
  })
  const opened: (() => Promise<void>)[] = [() => internal.close()]
  try {
    const context = await definition.createContext(config, { log, metrics, internal, upstreams, now: Date.now })
    const service = definition.createService(context)
    opened.unshift(() => service.close())
    let started = false
    const serving = {
      verifier: createVerifier(definition.name, keys),
      shards: servedShards(definition.name, config, env),
      base: config.PUBLIC_BASE_URL,
      log,
      metrics,
    }
    const http = await listen({
      ...serving,
      host: config.HOST,
      port: config.PORT,
      surfaces: service.surfaces,
      ready: async () => started && ((await service.ready?.()) ?? true),
    })
    opened.unshift(() => http.close())
    const workers = service.workers ?? []
    await startAll(workers, log)
    started = true
    log.info({ port: http.port }, 'started')
    return {
      name: definition.name,
      url: `http://${config.HOST}:${http.port}`,
      async stop() {
        await Promise.all([http.drain(drainOptionsOf(config)), stopAll(workers, log)])
        await Promise.all([service.close(), internal.close()])
        log.info('stopped')
      },
    }
  } catch (error) {
    for (const close of opened)
      await close().catch((failed: unknown) => log.error({ err: failed }, 'a part did not close after a failed start'))
    throw error
  }
}

/** Starts all, or none: where one cannot, those that could are stopped again. @throws what the first one said */
async function startAll(workers: readonly Worker[], log: Logger): Promise<void> {
  const results = await Promise.allSettled(workers.map((worker) => worker.start()))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed === undefined) return
  await stopAll(
    workers.filter((_, index) => results[index]?.status === 'fulfilled'),
    log,
  )
  throw failed.reason
}

async function stopAll(workers: readonly Worker[], log: Logger): Promise<void> {
  const results = await Promise.allSettled(workers.map((worker) => worker.stop()))
  results.forEach((result, index) => {
    if (result.status === 'rejected')
      log.error({ err: result.reason, worker: workers[index]?.name }, 'a worker did not stop cleanly')
  })
}

/** Runs a start function as the whole process: one clear line and exit 1 when it cannot start; signals stop it. */
export async function runProcess(name: string, start: () => Promise<RunningService>): Promise<void> {
  const log = createLogger(name, 'info')
  const running = await start().catch((error: unknown) => {
    if (error instanceof ConfigError) process.stderr.write(`${name}: ${error.message}\n`)
    else log.fatal({ err: error }, `${name} could not start: ${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  })
  let stopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (stopping) return
      stopping = true
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'could not stop cleanly')
          process.exit(1)
        },
      )
    })
}
