import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { uploadTypeOf } from '@wp/contracts/upload-types'
import { connect } from '../../connection.ts'
import { type Context, report } from '../../context.ts'
import { CancelledError, UsageError } from '../../errors.ts'
import type { OutputFlags } from '../../output/flags.ts'
import { createProgressLine, waitForJob } from '../../output/wait-for-job.ts'
import { printCounts } from './print-counts.ts'

interface UploadFlags extends OutputFlags {
  type: string | undefined
  full: boolean
  allowDeletions: boolean
}

export async function uploadFile(this: Context, flags: UploadFlags, sourceId: string, path: string): Promise<void> {
  const contentType = flags.type ?? uploadTypeOf(basename(path))
  if (contentType === undefined)
    throw new UsageError(`the content type of ${path} is unknown; name it: --type text/csv`)
  const size = path === '-' ? undefined : await sizeOf(path)
  const { client } = await connect(this, flags)
  const content = withProgress(this, path === '-' ? this.stdin : createReadStream(path), size)
  const signal = this.takeInterrupts()
  // An open pipe would keep the process alive, waiting for input that is no longer sent.
  if (path === '-') signal.addEventListener('abort', () => this.stdin.destroy())
  const query = {
    mode: flags.full ? ('full' as const) : ('incremental' as const),
    ...(flags.allowDeletions ? { allow_deletions: 'true' as const } : {}),
  }
  const sent = { params: { data_source_id: sourceId }, query, body: { contentType, content } }
  const uploaded = await client.data.uploadRecords(sent, { signal }).catch((error) => {
    if (error instanceof CancelledError)
      report(this, 'Rows that the platform has read are stored. To send the rest, run the command again.')
    throw error
  })
  if (uploaded.status === 'ok') return printCounts(this, flags, uploaded.data)
  const { id } = uploaded.data
  const read = () => client.data.getSync({ params: { id } })
  await printCounts(this, flags, await waitForJob(this, 'data.cancelSync', id, read))
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (cause) {
    throw new UsageError(`${path} cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** Passes chunks on and shows how much was read, on a terminal. @param size undefined if it is unknown */
async function* withProgress(
  context: Context,
  chunks: AsyncIterable<Uint8Array>,
  size: number | undefined,
): AsyncGenerator<Uint8Array> {
  const line = createProgressLine(context)
  let read = 0
  try {
    for await (const chunk of chunks) {
      yield chunk
      read += chunk.length
      const share =
        size === undefined || size === 0 ? '' : ` of ${megabytes(size)} (${Math.floor((read / size) * 100)} %)`
      line.show(`Uploaded ${megabytes(read)}${share}`)
    }
  } finally {
    line.clear()
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`
