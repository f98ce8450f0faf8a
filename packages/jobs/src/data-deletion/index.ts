export { hasDeletionRecord } from './deletion-record.ts'
export { createDeletionWorker, type DeletionWorkerOptions } from './deletion-worker.ts'
export {
  createDeletionConsumer,
  type DeletionReport,
  deletionSubscription,
  startDataDeletion,
  type WorkspaceDeletionPolicy,
} from './workspace-deletion.ts'
