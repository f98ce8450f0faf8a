import type { Worker } from '@wp/runtime'
import type { Logger } from '../telemetry/logger.ts'

/** Starts all workers. @throws the first error, after stopping the workers that did start */
export async function startWorkers(workers: readonly Worker[], log: Logger): Promise<void> {
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
export async function stopWorkers(workers: readonly Worker[], log: Logger): Promise<void> {
  const results = await Promise.allSettled(workers.map((worker) => worker.stop()))
  results.forEach((result, index) => {
    if (result.status === 'rejected')
      log.error(
        { event: 'worker.stop_failed', err: result.reason, worker: workers[index]?.name },
        'worker failed to stop',
      )
  })
}
