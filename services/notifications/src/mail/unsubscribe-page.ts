import type { HtmlPage } from '@wp/contracts'
import { renderPage } from '@wp/service'

const settingsLink = (workspaceId: string) => ({
  href: `/console/${workspaceId}/notifications/settings`,
  label: 'Open notification settings',
})

/** The page that a link opens: a button, so that scanners and previews of mails do not unsubscribe the reader. */
export const confirmUnsubscribePage = (mails: string, token: string, workspaceId: string): HtmlPage =>
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

export const unsubscribedPage = (mails: string, workspaceId: string): HtmlPage =>
  renderPage({
    title: 'Mails stopped',
    paragraphs: [
      `You get no more ${mails} from this workspace, except critical ones. Your notification settings turn them on again.`,
    ],
    next: settingsLink(workspaceId),
  })

export const invalidLinkPage = (): HtmlPage =>
  renderPage({
    title: 'The link is not valid',
    paragraphs: ['Copy the whole link from the mail, or change your notification settings.'],
    status: 400,
    next: { href: '/console/', label: 'Open the console' },
  })
