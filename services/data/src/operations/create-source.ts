import type { data, Operation } from '@wp/contracts'
import { newId, type Transaction } from '@wp/database'
import type { PrismaClient } from '#db'
import { again } from '../connections/again.ts'
import { checkAddress } from '../connections/check-address.ts'
import { throughIntegration } from '../connections/use-integration.ts'
import type { Context } from '../context.ts'
import { nextRun, refuseUnreadable } from '../schedule/next-run.ts'
import { insertSource } from '../store/sources.ts'
import { sourceView } from '../views.ts'

export const createSource: Operation<typeof data.createSource, Context> = async (context, caller, { body }) => {
  const { sync_mode: syncMode, external_id: externalId, integration_id: integrationId, ...rest } = body
  const now = new Date(context.now())
  refuseUnreadable(body.schedule, now)
  if (body.provider === 'http') await checkAddress(context, body.config)
  const dataSourceId = newId('src')
  const source = { ...rest, dataSourceId, integrationId, syncMode, externalId, nextSyncAt: nextRun(body.schedule, now) }
  const insert = async (tx: Transaction<PrismaClient>) =>
    sourceView(await insertSource(tx.db, caller.workspaceId, source))
  return integrationId === null
    ? context.database.transact(caller, insert)
    : again(() => throughIntegration(context, caller, { ...source, integrationId }, insert))
}
