import { type Meter, meterLimitChanged } from '@wp/contracts'
import { type Database, newId, type Query, type Transaction, workerQuery } from '@wp/database'
import { serviceCaller } from '@wp/events'
import type { Schedule } from '@wp/jobs/background'
import {
  deleteEarlierThresholds,
  insertThreshold,
  readMeterLimits,
  readThresholds,
  writeMeterLimit,
} from '../store/meter-limits.ts'
import {
  deleteUsageChecks,
  latestUsageCheck,
  listUsageChecks,
  lockUsageCheck,
  type UsageCheck,
  usageCheckQueue,
} from '../store/usage-checks.ts'
import { readMeterTotals } from '../store/usage-totals.ts'
import { readCurrentTerms } from './current-terms.ts'
import { evaluateLimits, type LimitState } from './evaluate-limits.ts'

interface LimitCheckerOptions {
  database: Database
  /** Milliseconds since 1970. */
  now: () => number
}

/** Longest delay between a use and the check of its limit, while there are fewer requests than a pass handles. */
const pollMs = 1_000
const checksPerPass = 100

/**
 * Returns the schedule that checks the limits of workspaces whose use or plan has changed, those that wait longest
 * first. Most checks change nothing: a pass reads them together and removes their requests. Each of the others is
 * repeated in a transaction of its workspace, which locks the request, so that two replicas report nothing twice. A
 * round ends with the requests that were there when it began: a workspace of which events arrive all the time is
 * checked about once a second.
 */
export function limitCheckSchedule(options: LimitCheckerOptions): Schedule {
  const { database } = options
  let roundEnd: number | undefined
  async function pass(): Promise<'more' | 'idle'> {
    roundEnd ??= await latestUsageCheck(workerQuery(database.worker))
    if (roundEnd === undefined) return 'idle'
    const result = await checkLimits(options, roundEnd)
    if (result === 'idle') roundEnd = undefined
    return result
  }
  return { name: 'usage limits', everyMs: pollMs, wakeQueue: usageCheckQueue, pass }
}

/** @param until version up to which requests are handled */
async function checkLimits({ database, now }: LimitCheckerOptions, until: number): Promise<'more' | 'idle'> {
  const query = workerQuery(database.worker)
  const checks = await listUsageChecks(query, until, checksPerPass)
  if (checks.length === 0) return 'idle'
  const states = await readLimitStates(
    query,
    checks.map(({ workspaceId }) => workspaceId),
    now(),
  )
  const hasChanges = (position: number): boolean => {
    const state = states[position]
    if (state === undefined) return false
    const { reached, limits } = evaluateLimits(state)
    return reached.length > 0 || limits.length > 0
  }
  await deleteUsageChecks(
    query,
    checks.filter((_, position) => !hasChanges(position)),
  )
  for (const [position, check] of checks.entries())
    if (hasChanges(position)) await reportChanges(database, check, now())
  return checks.length === checksPerPass ? 'more' : 'idle'
}

async function reportChanges(database: Database, { workspaceId, shard }: UsageCheck, now: number): Promise<void> {
  const caller = serviceCaller('billing', { shard, workspaceId, requestId: newId('evt') })
  await database.transact(caller, async (tx) => {
    const check = await lockUsageCheck(tx.query, workspaceId)
    if (check === undefined) return
    const [state] = await readLimitStates(tx.query, [workspaceId], now)
    if (state !== undefined) await report(tx, workspaceId, state)
    await deleteUsageChecks(tx.query, [check])
  })
}

async function report(tx: Transaction, workspaceId: string, state: LimitState): Promise<void> {
  const { reached, limits } = evaluateLimits(state)
  const { start, end } = state.period
  const period = { start: start.toISOString(), end: end.toISOString() }
  await deleteEarlierThresholds(tx.query, workspaceId, start)
  for (const { meter, percent, included } of reached) {
    const isNew = await insertThreshold(tx.query, { workspaceId, meter, periodStart: start, included, percent })
    if (isNew)
      tx.emit({
        kind: 'USAGE_LIMIT_REACHED',
        data: { id: workspaceId, status: 'reached', meter, percent, limit: included, period },
      })
  }
  for (const { meter, exhausted } of limits) {
    const version = await writeMeterLimit(tx.query, { workspaceId, meter, exhausted, periodEnd: end })
    tx.emitInternal(meterLimitChanged, { meter, exhausted, period_end: period.end, version })
  }
}

/** Reads what the limits of workspaces depend on, in the given order. */
async function readLimitStates(query: Query, workspaceIds: readonly string[], now: number): Promise<LimitState[]> {
  const terms = await readCurrentTerms(query, workspaceIds, now)
  const totals = await readMeterTotals(
    query,
    terms.map(({ workspaceId, period }) => ({ workspaceId, ...period })),
  )
  const limits = await readMeterLimits(query, workspaceIds)
  const reported = await readThresholds(query, workspaceIds)
  return terms.map(({ workspaceId, plan, period }) => {
    const isOwn = (row: { workspaceId: string }) => row.workspaceId === workspaceId
    return {
      now,
      plan,
      period,
      totals: new Map<Meter, number>(totals.filter(isOwn).map(({ meter, quantity }) => [meter, quantity])),
      limits: limits.filter(isOwn),
      reported: reported.filter(isOwn),
    }
  })
}
