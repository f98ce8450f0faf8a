import type { NotificationCategory } from '@wp/contracts'
import { type MailTemplate, preventAutolinks } from '@wp/mail'

/** The parts of a notification that a mail shows. */
export interface MailedNotification {
  title: string
  body: string
}

const categoryNames: Readonly<Record<NotificationCategory, string>> = {
  data: 'data sources',
  agents: 'agents',
  forecasts: 'forecasts',
  webhooks: 'webhooks',
  integrations: 'integrations',
  security: 'security',
  billing: 'billing',
  audit: 'audit exports',
}

/** Returns the words for a category in a sentence. */
export const categoryName = (category: NotificationCategory): string => categoryNames[category]

/** Lines of a digest; the others are counted. */
export const maxDigestLines = 20

/** Creates the mail of one notification. @param unsubscribe undefined for a critical one, which cannot be turned off */
export const notificationMail = (
  { title, body }: MailedNotification,
  unsubscribe: { category: NotificationCategory; url: string } | undefined,
): MailTemplate => ({
  subject: title,
  heading: title,
  blocks: [{ text: preventAutolinks(body) }],
  footer:
    unsubscribe === undefined
      ? [
          {
            text: 'You get this mail because you are a member of the workspace. Critical notifications are always mailed.',
          },
        ]
      : [
          {
            text: `You get this mail because mails about ${categoryName(unsubscribe.category)} are on in your notification settings.`,
          },
          { link: unsubscribe.url, label: `Stop mails about ${categoryName(unsubscribe.category)}` },
        ],
})

/** Creates the mail of a digest, with the oldest notifications first. @param count of all that it stands for */
export function digestMail(notifications: readonly MailedNotification[], count: number): MailTemplate {
  const shown = notifications.slice(0, maxDigestLines)
  const subject = count === 1 ? '1 notification' : `${count} notifications`
  return {
    subject: `Your digest: ${subject}`,
    heading: subject,
    blocks: [
      { items: shown.map(({ title, body }) => ({ title, text: preventAutolinks(body) })) },
      ...(count > shown.length ? [{ text: `… and ${count - shown.length} more.` }] : []),
    ],
    footer: [{ text: 'You get this digest because it is on in your notification settings.' }],
  }
}
