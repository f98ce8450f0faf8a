import type { NotificationCategory } from '@wp/contracts'
import { type MailBlock, type MailTemplate, preventAutolinks } from '@wp/mail'
import { forReader, type TextReader } from '../catalog/notification-text.ts'
import type { DetailBlock, NotificationDetails } from '../catalog/plan-details.ts'
import type { Context } from '../context.ts'
import type { MailSelection, Unsubscription } from './unsubscribe-token.ts'

/** The parts of a notification that a mail shows. */
export interface MailedNotification {
  title: string
  body: string
}

const categoryNames: Readonly<Record<NotificationCategory, string>> = {
  data: 'data sources',
  agents: 'assistants',
  forecasts: 'forecasts',
  plans: 'daily plans',
  webhooks: 'webhooks',
  integrations: 'integrations',
  security: 'security',
  billing: 'billing',
  audit: 'audit exports',
}

/** Returns the words for mails in a sentence, such as "mails about webhooks". */
export const mailsName = (mails: MailSelection): string =>
  mails === 'all' ? 'mails that are not critical' : `mails about ${categoryNames[mails]}`

/** Lines of a digest; the others are counted. */
export const maxDigestLines = 20

/** The link with which the recipient ends mails like this one. */
export interface UnsubscribeLink {
  mails: MailSelection
  url: string
}

/** Returns the address of the page that unsubscribes, which works without a sign-in. */
export const unsubscribeUrl = (
  { config, unsubscribeTokens }: Pick<Context, 'config' | 'unsubscribeTokens'>,
  unsubscription: Unsubscription,
): string =>
  `${config.PUBLIC_BASE_URL.replace(/\/+$/, '')}/v1/notifications/unsubscribe?token=${unsubscribeTokens.create(unsubscription)}`

interface NotificationMailOptions {
  reader: TextReader
  workspaceName: string
  /** Null without any. */
  details: NotificationDetails | null
  /** The page about it; undefined if there is none. */
  consoleUrl: string | undefined
  /** Undefined for a critical one, which cannot be turned off. */
  unsubscribe: UnsubscribeLink | undefined
}

/** Creates the mail of one notification. */
export const notificationMail = (
  { title, body }: MailedNotification,
  { reader, workspaceName, details, consoleUrl, unsubscribe }: NotificationMailOptions,
): MailTemplate => ({
  subject: forReader(title, reader),
  heading: forReader(title, reader),
  blocks: [
    { text: preventAutolinks(forReader(withoutIds(body), reader)) },
    ...(details ?? []).map((block) => safeBlock(block, reader)),
    ...(consoleUrl === undefined ? [] : [{ button: consoleUrl, label: 'Open in the console' }]),
  ],
  footer: [
    ...footer(workspaceName, unsubscribe, unsubscribe === undefined ? '' : `${mailsName(unsubscribe.mails)} are on`),
    ...references(body),
  ],
})

function safeBlock(block: DetailBlock, reader: TextReader): MailBlock {
  const safe = (text: string) => preventAutolinks(forReader(text, reader))
  if ('heading' in block) return { heading: preventAutolinks(block.heading) }
  if ('list' in block) return { list: block.list.map(safe) }
  if ('text' in block) return { text: safe(block.text) }
  const { columns, rows } = block.table
  return { table: { columns, rows: rows.map((row) => row.map(preventAutolinks)) } }
}

/**
 * Creates the mail of a digest, with the oldest notifications first.
 * @param options its `count` is of all that it stands for; without `unsubscribe` they are critical
 */
export function digestMail(
  notifications: readonly MailedNotification[],
  {
    count,
    reader,
    workspaceName,
    consoleUrl,
    unsubscribe,
  }: {
    count: number
    reader: TextReader
    workspaceName: string
    consoleUrl: string
    unsubscribe: UnsubscribeLink | undefined
  },
): MailTemplate {
  const shown = notifications.slice(0, maxDigestLines)
  const noun = unsubscribe === undefined ? 'critical notification' : 'notification'
  const heading = `${count} ${noun}${count === 1 ? '' : 's'}`
  return {
    subject: unsubscribe === undefined ? heading : `Your digest: ${heading}`,
    heading,
    blocks: [
      {
        items: shown.map(({ title, body }) => ({
          title: forReader(title, reader),
          text: preventAutolinks(forReader(withoutIds(body), reader)),
        })),
      },
      ...(count > shown.length ? [{ text: `… and ${count - shown.length} more.` }] : []),
      { button: consoleUrl, label: 'Open in the console' },
    ],
    footer: footer(workspaceName, unsubscribe, 'the digest is on'),
  }
}

function footer(workspaceName: string, unsubscribe: UnsubscribeLink | undefined, reason: string): MailBlock[] {
  const start = `You get this mail as a member of the workspace ${preventAutolinks(workspaceName)}`
  if (unsubscribe === undefined) return [{ text: `${start}. Critical notifications are always mailed.` }]
  return [
    { text: `${start}, because ${reason} in your notification settings.` },
    { link: unsubscribe.url, label: `Stop ${mailsName(unsubscribe.mails)}` },
  ]
}

const ids = /\s?“?\b[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}\b”?/g

/** Leaves out the ids of resources, which say nothing to a reader; the button of the mail leads to the resource. */
const withoutIds = (text: string): string => text.replaceAll(ids, '')

/** The ids of a text on a line of their own, for support. */
function references(text: string): MailBlock[] {
  const found = [...new Set(text.match(ids)?.map((id) => id.replaceAll(/[\s“”]/g, '')))]
  return found.length === 0 ? [] : [{ text: `Reference: ${found.join(', ')}` }]
}
