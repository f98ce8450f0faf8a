import type { Query } from '@wp/database'
import { requestRecount } from '../attendance/request-recount.ts'
import type { Operation } from '../context.ts'
import { readPrivacyThreshold, setPrivacyThreshold } from '../store/workplace-settings.ts'

export const getWorkplaceSettings: Operation<'getWorkplaceSettings'> = ({ database }, caller) =>
  database.read(caller, (_db, sql) => readSettings(sql, caller.workspaceId))

export const updateWorkplaceSettings: Operation<'updateWorkplaceSettings'> = ({ database }, caller, { body }) =>
  database.transact(caller, async (tx) => {
    const { workspaceId } = caller
    const { privacy_threshold: threshold } = body
    if (threshold !== undefined && threshold !== (await readPrivacyThreshold(tx.query, workspaceId))) {
      await setPrivacyThreshold(tx.query, workspaceId, threshold)
      await requestRecount(tx, workspaceId)
    }
    tx.audit({ changes: { fields: Object.keys(body) } })
    return readSettings(tx.query, workspaceId)
  })

const readSettings = async (query: Query, workspaceId: string) => ({
  workspace_id: workspaceId,
  privacy_threshold: await readPrivacyThreshold(query, workspaceId),
})
