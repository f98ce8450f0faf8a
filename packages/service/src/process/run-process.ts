import { ConfigError } from '../config/read-config.ts'
import { createLogger } from '../telemetry/logger.ts'
import type { RunningService } from './start.ts'

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
