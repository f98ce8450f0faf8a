import { type PasskeySettings, problem } from '@wp/contracts'
import type { z } from 'zod'
import type { Operation } from '../../context.ts'
import { requireRecentAuthentication } from '../../sessions/require-recent-authentication.ts'
import {
  cancelRecovery,
  deletePasskeySettings,
  findPasskeySettings,
  insertPasskeySettings,
  type PasskeySettingsRow,
} from '../../store/passkeys/passkey-settings.ts'
import { lockAndCountPasskeys } from '../../store/passkeys/passkeys.ts'

/** Returns how the signed-in user may sign in. */
export const getPasskeySettings: Operation<'getPasskeySettings'> = async ({ database }, { principal, workspaceId }) =>
  await database.read({ workspaceId }, async (_db, query) =>
    settingsView(principal.id, await findPasskeySettings(query, principal.id)),
  )

/** Changes how the signed-in user may sign in. */
export const updatePasskeySettings: Operation<'updatePasskeySettings'> = async (
  context,
  caller,
  { body: { required } },
) =>
  await context.database.transact(caller, async (tx) => {
    const { userId } = await requireRecentAuthentication(context, tx, caller)
    if (required === true) {
      if ((await lockAndCountPasskeys(tx.query, userId)) === 0)
        throw problem('conflict', { detail: 'Add a passkey first: without one this account could not sign in' })
      await insertPasskeySettings(tx.query, userId)
    }
    if (required === false) await deletePasskeySettings(tx.query, userId)
    if (required !== undefined) tx.audit({ changes: { required } })
    return settingsView(userId, await findPasskeySettings(tx.query, userId))
  })

export const cancelPasskeyRecovery: Operation<'cancelPasskeyRecovery'> = async ({ database }, caller) =>
  await database.transact(caller, async (tx) => {
    const userId = caller.principal.id
    if (!(await cancelRecovery(tx.query, userId))) throw problem('conflict', { detail: 'No recovery is under way' })
    return settingsView(userId, await findPasskeySettings(tx.query, userId))
  })

const settingsView = (userId: string, row: PasskeySettingsRow | undefined): z.input<typeof PasskeySettings> => ({
  user_id: userId,
  required: row !== undefined,
  recovery:
    row?.recoveryRequestedAt && row.recoveryAvailableAt
      ? { requested_at: row.recoveryRequestedAt.toISOString(), available_at: row.recoveryAvailableAt.toISOString() }
      : null,
})
