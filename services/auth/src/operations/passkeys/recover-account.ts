import { type HtmlPage, problem } from '@wp/contracts'
import { enqueueMail } from '@wp/mail'
import { renderPage } from '@wp/service'
import type { Context, Operation } from '../../context.ts'
import { createOwnerRecoveryMail, createRecoveryMail } from '../../passkeys/recovery-mails.ts'
import { hashSecret } from '../../secrets/secret.ts'
import { generateLinkToken } from '../../sign-in/login-secrets.ts'
import { verifyLogin } from '../../sign-in/verify-login.ts'
import type { Tx } from '../../store/client.ts'
import { workerQuery } from '../../store/cross-workspace.ts'
import { cancelRecoveryByHash, listOwnersOfWorkspaces, startRecovery } from '../../store/passkeys/passkey-settings.ts'
import { findMailReader } from '../../store/users.ts'

/** Owners who are told of a recovery. */
const maxInformedOwners = 50

/** Starts the recovery of an account whose passkeys are lost, by the code of a sign-in mail, and announces it. */
export const startPasskeyRecovery: Operation<'startPasskeyRecovery'> = async (
  context,
  caller,
  { body: { login_id: loginId, code } },
) => {
  const { result, headers } = await verifyLogin(context, caller, { by: 'code', loginId, code }, (tx, { userId }) =>
    beginRecovery(context, tx, userId),
  )
  if (typeof result === 'string') throw problem(result, { headers })
  return { result: { available_at: result.availableAt.toISOString() }, headers }
}

async function beginRecovery(context: Context, tx: Tx, userId: string): Promise<{ availableAt: Date }> {
  const { publicBaseUrl, productName, recoveryDelayHours: hours } = context
  const cancel = generateLinkToken()
  const availableAt = await startRecovery(tx.query, userId, { hours, cancelHash: cancel.hash })
  if (availableAt === undefined)
    throw problem('conflict', { detail: 'A recovery is under way already, or this account can sign in by mail' })
  const targets = [{ type: 'user', id: userId }]
  tx.emitAudit({ action: 'passkey_recovery.requested', targets }, { id: userId, type: 'user' })
  const member = await findMailReader(tx.query, userId)
  const memberEmail = member.email
  const cancelUrl = `${publicBaseUrl}/v1/auth/login/recovery/cancel?token=${cancel.text}`
  const expiresAt = availableAt
  await enqueueMail(context, tx, {
    to: memberEmail,
    template: createRecoveryMail({ productName, availableAt, reader: member, cancelUrl }),
    expiresAt,
  })
  const owners = await listOwnersOfWorkspaces(workerQuery(context.database.extraPools.users), userId, maxInformedOwners)
  for (const { workspaceName, ...reader } of owners) {
    const template = createOwnerRecoveryMail({ productName, availableAt, reader, memberEmail, workspaceName })
    await enqueueMail(context, tx, { to: reader.email, template, expiresAt })
  }
  return { availableAt }
}

/** Shows the page of the link in the mail of a recovery. */
export const showPasskeyRecovery: Operation<'showPasskeyRecovery'> = async (_context, _caller, { query: { token } }) =>
  renderPage({
    title: 'Cancel the recovery?',
    paragraphs: ['Your account then still signs in with your passkeys only.'],
    form: { action: '/v1/auth/login/recovery/cancel', fields: { token }, label: 'Cancel the recovery' },
  })

/** Cancels the recovery when the button of the page is pressed. */
export const cancelPasskeyRecoveryByLink: Operation<'cancelPasskeyRecoveryByLink'> = async (
  { database },
  caller,
  { body: { token = '' } },
): Promise<HtmlPage> =>
  await database.transact(caller, async (tx) => {
    const userId = await cancelRecoveryByHash(tx.query, hashSecret(token))
    if (userId === undefined)
      return renderPage({
        title: 'There is nothing to cancel',
        status: 400,
        paragraphs: ['The recovery was cancelled before, has ended, or the link is incomplete.'],
        next: { href: '/console/', label: 'Open the console' },
      })
    tx.emitAudit(
      { action: 'passkey_recovery.cancelled', targets: [{ type: 'user', id: userId }] },
      { id: userId, type: 'user' },
    )
    return renderPage({
      title: 'The recovery is cancelled',
      paragraphs: [
        'Your account signs in with your passkeys only.',
        'If you did not request the recovery, someone can read your mail: change the password of your mailbox.',
      ],
      next: { href: '/console/', label: 'Open the console' },
    })
  })
