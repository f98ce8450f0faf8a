import { Problem, type RequestCaller, type WorkspaceCaller } from '@wp/contracts'
import { addDailyUse, dailyQuota, enforceQuotas } from '@wp/database'
import type { Context } from '../context.ts'

/** The body of an upload, counted against the quota of uploaded bytes a day. */
export interface MeteredUpload {
  /** The body. @throws Problem `quota_exceeded` before a chunk that is not within the quota */
  chunks: AsyncIterable<Uint8Array>
  /** Returns the number of bytes read so far. */
  bytes(): number
  /**
   * Gives back what was reserved and not read; never throws. Call it when the upload has ended, successfully or not.
   */
  release(): Promise<void>
}

/** A body of unknown length reserves this many bytes at a time, if as many are left. */
const reservationBytes = 4 * 1024 * 1024

/**
 * Reserves the length of a body. An upload that is not within the quota is rejected before it is read; one of unknown
 * length ends where the quota does.
 *
 * @param contentLength undefined if unknown
 * @throws Problem `quota_exceeded`
 */
export async function meterUpload(
  { database, now, log }: Pick<Context, 'database' | 'now' | 'log'>,
  { request: _request, ...caller }: RequestCaller<WorkspaceCaller>,
  body: { chunks: AsyncIterable<Uint8Array>; contentLength: number | undefined },
): Promise<MeteredUpload> {
  const quota = dailyQuota('uploaded_bytes_per_day', now())
  let [reserved, read] = [0, 0]

  async function reserve(amount: number): Promise<void> {
    await database.transact(caller, async ({ query }) => {
      await addDailyUse(query, caller.workspaceId, quota, amount)
      await enforceQuotas(query, caller.workspaceId, [{ quota, added: amount }])
    })
    reserved += amount
  }

  async function reserveFor(missing: number): Promise<void> {
    try {
      await reserve(Math.max(missing, reservationBytes))
    } catch (error) {
      if (missing >= reservationBytes || !isQuotaExceeded(error)) throw error
      await reserve(missing)
    }
  }

  async function* metered() {
    for await (const chunk of body.chunks) {
      if (read + chunk.length > reserved) await reserveFor(read + chunk.length - reserved)
      read += chunk.length
      yield chunk
    }
  }

  if (body.contentLength !== undefined) await reserve(body.contentLength)
  return {
    chunks: metered(),
    bytes: () => read,
    async release() {
      if (reserved === read) return
      await reserve(read - reserved).catch((err: unknown) =>
        log.warn({ event: 'upload_quota.release_failed', err }, 'failed to give back unused bytes of an upload'),
      )
    },
  }
}

const isQuotaExceeded = (error: unknown): boolean => error instanceof Problem && error.code === 'quota_exceeded'
