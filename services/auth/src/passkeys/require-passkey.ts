import { problem } from '@wp/contracts'
import type { Tx } from '../store/client.ts'
import { cancelRecovery, deletePasskeySettings, findPasskeySettings } from '../store/passkeys/passkey-settings.ts'

/**
 * Admits a proven sign-in of a user, or not: while a user has chosen so, only passkeys sign in. A recovery whose delay
 * has passed ends that choice; a sign-in with a passkey shows that none is needed, and ends the recovery.
 * @throws Problem `passkey_required`
 */
export async function admitMethod(tx: Tx, { userId, method }: { userId: string; method: string }): Promise<void> {
  const settings = await findPasskeySettings(tx.query, userId)
  if (settings === undefined) return
  const actor = { id: userId, type: 'user' as const }
  const targets = [{ type: 'user', id: userId }]
  if (method === 'passkey') {
    if (await cancelRecovery(tx.query, userId)) tx.emitAudit({ action: 'passkey_recovery.cancelled', targets }, actor)
    return
  }
  if (!settings.isRecoverable)
    throw problem('passkey_required', {
      detail:
        settings.recoveryAvailableAt === null
          ? 'This account signs in with a passkey only'
          : `This account signs in with a passkey only; its recovery is available from ${settings.recoveryAvailableAt.toISOString()}`,
    })
  await deletePasskeySettings(tx.query, userId)
  tx.emitAudit({ action: 'passkey_recovery.completed', targets, changes: { method } }, actor)
}
