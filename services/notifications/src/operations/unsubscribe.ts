import { type HtmlPage, notificationCategories } from '@wp/contracts'
import { renderPage } from '@wp/service'
import type { Operation } from '../context.ts'
import { mailsName } from '../mail/notification-mail.ts'
import type { StoredSettings } from '../settings/settings.ts'
import { mergeSettings } from '../settings/stored-settings.ts'
import { findSettings, lockSettings, storeSettings } from '../store/settings.ts'

/** Shows a button. Changes nothing, so that scanners and previews of mails do not unsubscribe the reader. */
export const showUnsubscribe: Operation<'showUnsubscribe'> = async ({ unsubscribeTokens }, _caller, { query }) => {
  const unsubscription = unsubscribeTokens.verify(query.token)
  if (unsubscription === undefined) return invalidLinkPage()
  return confirmUnsubscribePage(mailsName(unsubscription.mails), query.token, unsubscription.workspaceId)
}

/** Turns off the mails that a link names. Doing it again changes nothing. */
export const unsubscribe: Operation<'unsubscribe'> = async (
  { unsubscribeTokens, database },
  caller,
  { query: { token } },
) => {
  const unsubscription = unsubscribeTokens.verify(token)
  if (unsubscription === undefined) return invalidLinkPage()
  const { workspaceId, userId, mails } = unsubscription
  const principal = { id: userId, type: 'user' as const }
  await database.transact({ ...caller, workspaceId, principal }, async (tx) => {
    await lockSettings(tx, userId)
    const [row] = await findSettings<StoredSettings>(tx.query, workspaceId, [userId])
    const categories = mails === 'all' ? notificationCategories : [mails]
    const change = { categories: Object.fromEntries(categories.map((category) => [category, { email: false }])) }
    await storeSettings(tx, userId, mergeSettings(row?.values, change))
    tx.audit({
      action: 'notification_settings.updated',
      targets: [{ type: 'notification_settings', id: userId }],
      changes: { level: 'user', ...change },
    })
  })
  return unsubscribedPage(mailsName(mails), workspaceId)
}

const settingsLink = (workspaceId: string) => ({
  href: `/console/${workspaceId}/notifications/settings`,
  label: 'Open notification settings',
})

/** The page that a link opens: a button, so that scanners and previews of mails do not unsubscribe the reader. */
const confirmUnsubscribePage = (mails: string, token: string, workspaceId: string): HtmlPage =>
  renderPage({
    title: 'Stop these mails?',
    paragraphs: [`You will get no more ${mails} from this workspace. Critical notifications are always mailed.`],
    form: {
      action: `/v1/notifications/unsubscribe?token=${encodeURIComponent(token)}`,
      fields: {},
      label: `Stop ${mails}`,
    },
    next: settingsLink(workspaceId),
  })

const unsubscribedPage = (mails: string, workspaceId: string): HtmlPage =>
  renderPage({
    title: 'Mails stopped',
    paragraphs: [
      `You get no more ${mails} from this workspace, except critical ones. Your notification settings turn them on again.`,
    ],
    next: settingsLink(workspaceId),
  })

const invalidLinkPage = (): HtmlPage =>
  renderPage({
    title: 'The link is not valid',
    paragraphs: ['Copy the whole link from the mail, or change your notification settings.'],
    status: 400,
    next: { href: '/console/', label: 'Open the console' },
  })
