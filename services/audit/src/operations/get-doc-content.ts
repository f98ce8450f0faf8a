import { problem } from '@wp/contracts'
import { getJob } from '@wp/jobs'
import type { Operation } from '../context.ts'
import type { ExportInput, ExportResult } from '../exports/export-job.ts'
import { formats } from '../exports/formats/index.ts'
import { readContent } from '../exports/run-export.ts'
import { findContent } from '../store/exports.ts'
import { exportQueue } from '../store/quotas.ts'

/** Runs in a transaction, because each download is audited. */
export const getDocContent: Operation<'getDocContent'> = ({ database, now }, caller, { params }) =>
  database.transact(caller, async (tx) => {
    const key = { workspaceId: caller.workspaceId, id: params.id }
    const job = await getJob(tx, { ...key, queue: exportQueue })
    if (job === null) throw problem('not_found')
    if (job.state !== 'finished')
      throw problem('conflict', { detail: `The export is ${job.state}; only a finished one has content` })
    const { format } = job.input as ExportInput // written by startDoc, from the parsed body
    const { bytes, sha256, expires_at: expiresAt } = job.result as ExportResult // written by run-export.ts
    if (Date.parse(expiresAt) <= now())
      throw problem('content_deleted', { detail: `The content expired at ${expiresAt}; start another export` })
    if ((await findContent(tx.query, key)) === undefined) throw problem('content_deleted')
    const { contentType, extension } = formats[format]
    const filename = `audit-${job.id}${extension}`
    return { contentType, filename, length: bytes, etag: sha256, open: () => readContent(database, key) }
  })
