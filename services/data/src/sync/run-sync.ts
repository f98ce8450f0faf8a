import type { Job, JobControl } from '@wp/jobs'
import type { Client } from '../store/client.ts'
import { finishUploadSync, lockSyncSource } from './finish-sync.ts'
import { runReindex } from './reindex.ts'
import { type CrawlContext, runCrawl } from './run-crawl.ts'
import type { SyncInput } from './sync-job.ts'

type Control = JobControl<Client>

/**
 * Creates the handler of one attempt at a sync: finishes the sync of an upload, reindexes the records of an upload
 * source, or crawls any other source.
 */
export const createSyncHandler =
  (context: CrawlContext) =>
  async (job: Job, control: Control): Promise<void> => {
    const input = job.input as SyncInput // written by the operations that start syncs
    if (input.trigger === 'upload') {
      const { counts, schema_changes = [], warnings = [] } = input
      const result = { counts, schema_changes, ...(warnings.length > 0 ? { warnings } : {}) }
      return control.finish(async (tx) => finishUploadSync(tx, job, await lockSyncSource(tx, job), result))
    }
    // A scheduled sync has no caller; permission was checked when the schedule was set.
    if (job.caller !== null && !control.caller.scopes.includes('data:write'))
      return control.fail({
        code: 'auth',
        message: 'The caller who started the sync may no longer write data',
        retryable: false,
      })
    const provider = await readProvider(job, control)
    return provider === 'upload' ? runReindex(job, control) : runCrawl(context, job, control)
  }

async function readProvider(job: Job, control: Control): Promise<string | undefined> {
  let provider: string | undefined
  await control.checkpoint(async (tx) => {
    provider = (await lockSyncSource(tx, job)).provider
    return { isProgress: false }
  })
  return provider
}
