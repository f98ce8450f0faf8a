import { type Database, inWorkerTransaction } from '@wp/database'
import { absorbDueMarks } from '../endpoints/due-marks.ts'
import { insertLostAttempts } from './attempts.ts'
import { type ClaimedDelivery, type ClaimRow, claimRows, isClaimedRow, type LeaseOptions } from './claim-rows.ts'
import { type ClaimPolicy, findReadyWorkspaces, lockReadyEndpoints } from './ready-endpoints.ts'

export interface ClaimOptions extends LeaseOptions {
  policy: ClaimPolicy
}

export interface ClaimResult {
  claimed: ClaimedDelivery[]
  /** True if ready endpoints may have more due deliveries than the policy allowed to claim. */
  isLimited: boolean
  /** True if this claim did not see the deliveries of some endpoints, because other transactions held their rows. */
  hasHeldEndpoints: boolean
  /** True if the next claim may take more at once. */
  hasMore: boolean
}

/**
 * As `indexLookups`, but with the joins that suit many full destinations. Endpoints that are no longer ready leave dead
 * entries at the end of the index that is scanned, so a bitmap scan would be slow until the next vacuum.
 */
const settings = [
  'SET LOCAL plan_cache_mode = force_generic_plan',
  'SET LOCAL enable_seqscan = off',
  'SET LOCAL enable_bitmapscan = off',
].join('; ')

/**
 * Claims due deliveries fairly: by workspace, then by endpoint, the least recently served first, a few deliveries of
 * each. Claiming the oldest deliveries instead would let one dead endpoint with a long backlog starve the others, and a
 * workspace with many endpoints the other workspaces.
 *
 * A claim is a lease by the database's clock: when it expires, the deliveries are due again.
 */
export function claimDueDeliveries(pool: Database['worker'], options: ClaimOptions): Promise<ClaimResult> {
  const { policy } = options
  return inWorkerTransaction(
    pool,
    async (_client, query) => {
      const [areMarksLeft, ready] = await Promise.all([
        absorbDueMarks(query),
        findReadyWorkspaces(query, policy.fullDestinations),
      ])
      const shares = policy.shareSlots(ready).filter(({ slots }) => slots > 0)
      const isLimited = policy.fullDestinations.length > 0 || sum(shares, 'slots') < sum(ready, 'demand')
      const found = shares.length === 0 ? [] : await lockReadyEndpoints(query, policy.fullDestinations, shares)
      const endpoints = found.filter(({ isLeasable }) => isLeasable)
      const hasHeldEndpoints = areMarksLeft || endpoints.length < found.length
      const nothing = { claimed: [], isLimited, hasHeldEndpoints, hasMore: false }
      const selected = policy.selectRows(shares, endpoints)
      if (selected.length === 0) return nothing
      const rows = await claimRows(query, selected, options)
      const served = [...Map.groupBy(rows, (row) => row.webhookId).values()]
      const claimed = rows.filter(isClaimedRow)
      await insertLostAttempts(
        query,
        claimed.filter((row) => row.wasLost),
      )
      return { ...nothing, claimed, hasMore: claimed.length > 0 && (isLimited || served.some(mayHaveMore)) }
    },
    { settings, isStartHarmless: true }, // the marks and the read
  )
}

const sum = <Key extends string>(rows: readonly Record<Key, number>[], key: Key): number =>
  rows.reduce((total, row) => total + row[key], 0)

const countClaimed = (rows: readonly ClaimRow[]): number => rows.filter(isClaimedRow).length

/** Returns true if an endpoint had fewer due deliveries than could have been claimed. @param rows its rows */
const isExhausted = (rows: readonly ClaimRow[]): boolean =>
  countClaimed(rows) < Math.min(rows[0]?.freeSlots ?? 0, rows[0]?.maxRows ?? 0)

/** Returns true if an endpoint may have further due deliveries and has free slots for them. @param rows its rows */
const mayHaveMore = (rows: readonly ClaimRow[]): boolean =>
  !isExhausted(rows) && countClaimed(rows) < (rows[0]?.freeSlots ?? 0)
