import { quotaExceeded } from '@wp/contracts'
import type { Query } from '../connection/query.ts'
import { type CountedQuota, type CountedUse, readUses } from './counted-quota.ts'

/** A quota and how much the transaction has added to its use. */
export interface QuotaAddition {
  quota: CountedQuota
  /** Zero or less: nothing is checked, so that a subject over its limit can still change and delete. */
  added: number
}

/**
 * Asserts that what a transaction has added is within the quotas. Call it after the insert, as the last statement of
 * the work: it locks the quotas of the subject until the transaction ends, so that concurrent transactions count each
 * other.
 *
 * @param subject the workspace, or the user for quotas of users
 * @throws Problem `quota_exceeded`
 */
export async function enforceQuotas(query: Query, subject: string, additions: readonly QuotaAddition[]): Promise<void> {
  const growing = additions.filter(({ added }) => added > 0)
  if (growing.length === 0) return
  const counted = growing.map(({ quota }) => quota)
  const uses = await lockAndReadUses(query, subject, counted)
  growing.forEach(({ quota, added }, position) => {
    const use = uses[position]
    if (use !== undefined && use.current > use.limit)
      throw quotaExceeded(quota, { limit: use.limit, current: use.current - added, added })
  })
}

/** Asserts that the one thing a transaction has created is within its quota; see `enforceQuotas`. */
export const enforceQuota = (query: Query, subject: string, quota: CountedQuota): Promise<void> =>
  enforceQuotas(query, subject, [{ quota, added: 1 }])

/** Returns true if one more fits into the quota. Locks it like `enforceQuotas`. */
export async function fitsQuota(query: Query, subject: string, quota: CountedQuota): Promise<boolean> {
  const [use] = await lockAndReadUses(query, subject, [quota])
  return use !== undefined && use.current < use.limit
}

/** Two statements, sent together: the counts need a snapshot taken after the lock. */
async function lockAndReadUses(query: Query, subject: string, counted: readonly CountedQuota[]): Promise<CountedUse[]> {
  const names = counted.map(({ quota, kind }) => JSON.stringify([subject, quota, kind]))
  const lock = 'SELECT pg_advisory_xact_lock(hashtextextended(name, 2)) FROM unnest($1::text[]) AS name'
  const [, uses] = await Promise.all([query(lock, [names], 'lock_quotas'), readUses(query, subject, counted)])
  return uses
}
