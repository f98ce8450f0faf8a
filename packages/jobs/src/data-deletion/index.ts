export { createDeletionConsumer, deletionSubscription } from './deletion-consumer.ts'
export { hasDeletionRecord } from './deletion-record.ts'
export { createDeletionWorker, type DeletionWorkerOptions } from './deletion-worker.ts'
export { type DeletionReport, startDataDeletion, type WorkspaceDeletionPolicy } from './workspace-deletion.ts'
