import type { MailBlock } from '@wp/mail'

/** A part of a mail or message below the text of a notification. Texts are on one line. */
export type DetailBlock = Extract<
  MailBlock,
  { heading: string } | { list: unknown } | { table: unknown } | { text: string }
>

/** The details of a notification, for mails and messages. */
export type NotificationDetails = readonly DetailBlock[]
