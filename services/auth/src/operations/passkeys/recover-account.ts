import { type HtmlPage, problem } from '@wp/contracts'
import { textForReader } from '@wp/contracts/local-text'
import { enqueueMail, type MailTemplate, toSingleLine } from '@wp/mail'
import { renderPage } from '@wp/service'
import type { Context, Operation } from '../../context.ts'
import { hashSecret } from '../../secrets/secret.ts'
import { generateLinkToken } from '../../sign-in/login-secrets.ts'
import { verifyLogin } from '../../sign-in/verify-login.ts'
import type { Tx } from '../../store/client.ts'
import { workerQuery } from '../../store/cross-workspace.ts'
import { cancelRecoveryByHash, listOwnersOfWorkspaces, startRecovery } from '../../store/passkeys/passkey-settings.ts'
import { findMailReader, type MailReader } from '../../store/users.ts'

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

interface RecoveryMailOptions {
  productName: string
  availableAt: Date
  reader: MailReader
}

/** Creates the mail to the user of an account whose recovery was requested. */
const createRecoveryMail = ({
  productName,
  availableAt,
  reader,
  cancelUrl,
}: RecoveryMailOptions & { cancelUrl: string }): MailTemplate => ({
  subject: `Recovery of your account: ${productName}`,
  heading: 'The recovery of your account was requested',
  blocks: [
    {
      text: `From ${textForReader(reader).zonedDateTime(availableAt)} you can sign in by mail again, without a passkey.`,
    },
    { text: 'If you did not request this, someone can read your mail. Cancel the recovery:' },
    { button: cancelUrl, label: 'Cancel the recovery' },
    { text: 'You can also cancel it in every browser in which you are signed in.' },
  ],
})

/** Creates the mail to an owner of a workspace of that user. */
const createOwnerRecoveryMail = ({
  productName,
  availableAt,
  reader,
  memberEmail,
  workspaceName,
}: RecoveryMailOptions & { memberEmail: string; workspaceName: string }): MailTemplate => ({
  subject: `A member recovers an account: ${productName}`,
  heading: 'A member has lost their passkeys',
  blocks: [
    {
      text: `${memberEmail}, a member of ${toSingleLine(workspaceName)}, signs in with passkeys only and has requested to sign in by mail again from ${textForReader(reader).zonedDateTime(availableAt)}.`,
    },
    { text: 'Ask them whether it was they. If it was not, remove the member from the workspace before that time.' },
  ],
  footer: [{ text: 'You get this mail because you are an owner of the workspace.' }],
})
