export { rethrowAsUnavailable } from './access.ts'
export { type Snapshot, takeSnapshot } from './backup/dump.ts'
export { restoreDatabase } from './backup/restore.ts'
export { connectDatabase } from './connect.ts'
export { isConnectionError, isTransactionConflict } from './connection/error-classification.ts'
export { fieldName } from './connection/field-names.ts'
export { openPool } from './connection/pool.ts'
export type { Query, Row } from './connection/query.ts'
export type { ScopedClient } from './connection/scoped-client.ts'
export type { Database } from './database.ts'
export { definedFields } from './defined-fields.ts'
export {
  afterCursor,
  type Cursor,
  decodeCursor,
  encodeCursor,
  mapPage,
  paginate,
  paginateBy,
  paginateCatalogue,
  parseCursor,
} from './list/keyset-pagination.ts'
export { contains, matchName } from './list/match-name.ts'
export { matchMetadata, mergeMetadata } from './list/metadata.ts'
export {
  type DatabaseNames,
  databaseNames,
  databaseUrls,
  operatorPurposes,
  operatorRole,
  ownerUrlOf,
  type Passwords,
} from './migrations/database-names.ts'
export { MigrationError } from './migrations/history.ts'
export { draftMigration, findDrift } from './migrations/lazy-drift.ts'
export { migrate, resolveMigration } from './migrations/migrate.ts'
export { provision, provisionGroups } from './migrations/provision.ts'
export { newId } from './new-id.ts'
export {
  addDailyUse,
  type CountedQuota,
  countQueuedJobs,
  countRows,
  type DailyQuota,
  dailyQuota,
  enforceQuota,
  enforceQuotas,
  fitsQuota,
  type QuotaAddition,
  quotaUsageOperation,
  readQuotaUsage,
} from './quota/counted-quota.ts'
export { enforceMeters, joinExhaustedMeter, type MeterLimit, storeMeterLimit } from './quota/meter-limits.ts'
export { joinPlanLimits, readAuditRetentionDays, type StoredPlanLimits, storePlanLimits } from './quota/plan-limits.ts'
export { listQuotaLimits, setQuotaLimit } from './quota/quota-limits.ts'
export { ConcurrentChangeError, retryOnConflict } from './transaction/retry-on-conflict.ts'
export { hasStoredResponse, withBodyDigest } from './transaction/streamed-body.ts'
export type { AuditDetails, EmittedEvent, Transaction, WorkspaceRef } from './transaction/transaction.ts'
export {
  indexLookups,
  inWorkerTransaction,
  type WorkerClient,
  workerQuery,
} from './transaction/worker-transaction.ts'
export { viewOf } from './view-of.ts'
