import type { WorkspaceDeletionPolicy } from '@wp/jobs/data-deletion'
import {
  deleteClientSessions,
  findDeletion,
  insertReport,
  moveDeletion,
  setReceiptHash,
} from '../../store/workspaces/workspace-deletions.ts'
import { deletionView, receiptHash } from './deletion-view.ts'

const receipt = 'the receipt of this deletion'

/** The part of auth in the deletion of a workspace: it keeps the receipt, and completes it. */
export const deletionPolicy: WorkspaceDeletionPolicy = {
  retained: { 'public.workspace_deletions': receipt, 'public.workspace_deletion_reports': receipt },
  async onDeleted(tx, report) {
    const { deletionId, workspaceId } = report
    await deleteClientSessions(tx.query, workspaceId)
    await insertReport(tx.query, 'auth', report)
    await moveDeletion(tx.query, deletionId, 'running', 'finished')
    const finished = await findDeletion(tx.query, deletionId)
    if (finished === undefined) throw new Error(`the deletion ${deletionId} is missing`)
    await setReceiptHash(tx.query, deletionId, receiptHash(deletionView(finished)))
    // The workspace has no chain to append to any more, other than the one that is kept.
    await tx.switchWorkspace(null)
    tx.emitAudit({ action: 'workspace.deleted', targets: [{ type: 'workspace', id: workspaceId }] })
  },
}
