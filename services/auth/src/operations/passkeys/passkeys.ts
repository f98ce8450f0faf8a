import { problem } from '@wp/contracts'
import { mapPage } from '@wp/database'
import type { Operation } from '../../context.ts'
import { requireRecentAuthentication } from '../../sessions/require-recent-authentication.ts'
import { findPasskeySettings } from '../../store/passkeys/passkey-settings.ts'
import {
  deletePasskeyRow,
  listPasskeyRows,
  lockAndCountPasskeys,
  renamePasskey,
} from '../../store/passkeys/passkeys.ts'
import { passkeyView } from '../../views.ts'

export const listPasskeys: Operation<'listPasskeys'> = async ({ database }, caller, { query }) => {
  const { principal, workspaceId } = caller
  const page = await database.read({ workspaceId }, (_db, sql) => listPasskeyRows(sql, principal.id, query))
  return mapPage(page, passkeyView)
}

export const updatePasskey: Operation<'updatePasskey'> = async ({ database }, caller, { params, body }) =>
  await database.transact(caller, async ({ query }) => {
    const row = await renamePasskey(query, { passkeyId: params.passkey_id, userId: caller.principal.id }, body.name)
    if (row === undefined) throw problem('not_found')
    return passkeyView(row)
  })

export const deletePasskey: Operation<'deletePasskey'> = async (
  context,
  caller,
  { params: { passkey_id: passkeyId } },
) =>
  await context.database.transact(caller, async (tx) => {
    const userId = caller.principal.id
    const count = await lockAndCountPasskeys(tx.query, userId)
    if (!(await deletePasskeyRow(tx.query, { passkeyId, userId }))) throw problem('not_found')
    await requireRecentAuthentication(context, tx, caller)
    if (count === 1 && (await findPasskeySettings(tx.query, userId)) !== undefined)
      throw problem('conflict', {
        detail: 'It is the last passkey of an account that signs in with passkeys only; allow other sign-ins first',
      })
    return { id: passkeyId }
  })
