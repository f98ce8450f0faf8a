import { type CountedQuota, countRows, enforceQuotas, type Query } from '@wp/database'

export const sourceQuota = countRows('sources', 'data_sources')

/** Sums a counter that the writers of records keep in the row of each source. */
const sumOfSources = (quota: 'records' | 'stored_bytes', column: string): CountedQuota => ({
  quota,
  kind: null,
  count: `(SELECT coalesce(sum(${column}), 0) FROM data_sources WHERE workspace_id = $1)`,
})

export const recordQuota = sumOfSources('records', 'record_count')
export const storedByteQuota = sumOfSources('stored_bytes', 'stored_bytes')

/** The change of what a source stores. */
export interface StorageChange {
  records: number
  /** UTF-8 bytes of the records as JSON. */
  bytes: number
}

/** Asserts that what a batch has added is within the quotas of stored data. @throws Problem `quota_exceeded` */
export const enforceStorageQuotas = (
  query: Query,
  workspaceId: string,
  { records, bytes }: StorageChange,
): Promise<void> =>
  enforceQuotas(query, workspaceId, [
    { quota: recordQuota, added: records },
    { quota: storedByteQuota, added: bytes },
  ])
