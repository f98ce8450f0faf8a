import type { Worker } from '@wp/runtime'
import { createSigner, createVerifier } from '../assertions/assertion.ts'
import { openKeyRing, readSigningKey } from '../assertions/keys.ts'
import { createInternalCalls } from '../calls/internal-calls.ts'
import { createClientAddressHeaders, createUpstreams } from '../calls/site-calls.ts'
import { servedShards } from '../config/cells.ts'
import { deletionSettleMs, drainOptionsOf, type ProcessConfig, tracingOptionsOf } from '../config/process-config.ts'
import { ConfigError, readConfig } from '../config/read-config.ts'
import { listen } from '../http/server/server.ts'
import { createLogger, type Logger } from '../telemetry/logger.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { openTracing } from '../telemetry/tracing/open-tracing.ts'
import { createPlatformWorkers } from './platform-workers.ts'
import type { Service, ServiceDefinition } from './service.ts'

/** A service that was started. */
export interface RunningService {
  name: string
  url: string
  /** Drains the server, stops the workers and closes every connection. */
  stop(): Promise<void>
}

export interface StartOptions {
  /** True if no other service runs in this process; the service then reports the metrics of the process too. */
  hasOwnProcess?: boolean
  log?: Logger
}

type Env = Readonly<Record<string, string | undefined>>

/**
 * Starts a service: reads its configuration, creates its context, listens, and starts its workers with those that every
 * service has (see `createPlatformWorkers`). Longer than most functions: it is the list of the parts, in this order.
 * @throws ConfigError naming every bad variable; any other error if a part fails to start, after closing the others
 */
export async function startService(
  definition: ServiceDefinition,
  env: Env,
  { log: givenLog, hasOwnProcess = false }: StartOptions = {},
): Promise<RunningService> {
  const { name } = definition
  const config: ProcessConfig = readConfig(definition.config, env)
  const log = givenLog ?? createLogger(name, config.LOG_LEVEL)
  const metrics = createMetrics(name, {
    process: hasOwnProcess,
    exemplars: config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
  })
  const upstreams = createUpstreams(config)
  const { SHARD: shard, LOCATION: location } = config
  const { tracing, close: closeTracing } = await openTracing(tracingOptionsOf(config, { service: name, log, metrics }))
  const [signingKey, keys] = await Promise.all([
    readSigningKey(config.ASSERTION_KEY_FILE, name),
    openKeyRing(config.ASSERTION_KEYS_FILE),
  ])
  const signer = createSigner(signingKey)
  const internal = createInternalCalls({ signer, upstreams, shard, location, tracing })
  const clientAddressHeaders = createClientAddressHeaders({ signer, shard, location })
  const closers = [() => internal.close(), closeTracing]
  try {
    const runtime = { log, metrics, internal, upstreams, clientAddressHeaders, tracing, now: Date.now }
    const context = await definition.createContext(config, runtime)
    const service = definition.createService(context)
    closers.unshift(() => closeService(service))
    let isStarted = false
    const http = await listen({
      verifier: createVerifier(name, keys),
      shards: servedShards(name, config, env),
      base: config.PUBLIC_BASE_URL,
      productName: config.PRODUCT_NAME,
      log,
      metrics,
      tracing,
      host: config.HOST,
      port: config.PORT,
      surfaces: service.surfaces,
      site: service.site,
      isReady: async () => isStarted && (service.database === undefined || (await service.database.hasSchema())),
    })
    closers.unshift(() => http.close())
    const workers = [
      ...createPlatformWorkers(service, { name, log, metrics, deletionSettleMs: deletionSettleMs(env) }),
      ...(service.workers ?? []),
    ]
    await startWorkers(workers, log)
    isStarted = true
    log.info({ event: 'service.started', port: http.port }, 'service started')
    return {
      name,
      url: `http://${config.HOST}:${http.port}`,
      async stop() {
        await Promise.all([http.drain(drainOptionsOf(config)), stopWorkers(workers, log)])
        await Promise.all([closeService(service), internal.close(), closeTracing()])
        log.info({ event: 'service.stopped' }, 'service stopped')
      },
    }
  } catch (error) {
    await closeAll(closers, log)
    throw error
  }
}

/** Closes what a context opened: its own parts, the broker connections, then the database. */
export async function closeService({
  close,
  bus,
  cells = [],
  database,
}: Pick<Service, 'close' | 'bus' | 'cells' | 'database'>): Promise<void> {
  try {
    await close?.()
    await Promise.all([bus, ...cells].map((each) => each?.close()))
  } finally {
    await database?.close()
  }
}

/** Closes one part after the other, even if one of them fails. */
async function closeAll(closers: readonly (() => Promise<void>)[], log: Logger): Promise<void> {
  for (const close of closers)
    await close().catch((err: unknown) =>
      log.error({ event: 'service.close_failed', err }, 'failed to close a part of the service after a failed start'),
    )
}

/** Starts all workers. @throws the first error, after stopping the workers that did start */
async function startWorkers(workers: readonly Worker[], log: Logger): Promise<void> {
  const results = await Promise.allSettled(workers.map((worker) => worker.start()))
  const failed = results.find((result) => result.status === 'rejected')
  if (failed === undefined) return
  await stopWorkers(
    workers.filter((_, index) => results[index]?.status === 'fulfilled'),
    log,
  )
  throw failed.reason
}

/** Stops all workers at the same time and waits for them. Errors are logged, not thrown. */
async function stopWorkers(workers: readonly Worker[], log: Logger): Promise<void> {
  const results = await Promise.allSettled(workers.map((worker) => worker.stop()))
  results.forEach((result, index) => {
    if (result.status === 'rejected')
      log.error(
        { event: 'worker.stop_failed', err: result.reason, worker: workers[index]?.name },
        'worker failed to stop',
      )
  })
}

/**
 * Runs a service as the whole process. A failed start exits with status 1 after one clear line; SIGTERM and SIGINT stop
 * the service and exit with status 0, or 1 if stopping fails.
 */
export async function runProcess(name: string, start: () => Promise<RunningService>): Promise<void> {
  const log = createLogger(name, 'info')
  const running = await start().catch((error: unknown) => {
    if (error instanceof ConfigError) process.stderr.write(`${name}: ${error.message}\n`)
    else {
      const reason = error instanceof Error ? error.message : String(error)
      log.fatal({ event: 'process.start_failed', err: error }, `failed to start ${name}: ${reason}`)
    }
    process.exit(1)
  })
  let isStopping = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => {
      if (isStopping) return
      isStopping = true
      running.stop().then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ event: 'process.stop_failed', err: error }, 'failed to stop cleanly')
          process.exit(1)
        },
      )
    })
}
