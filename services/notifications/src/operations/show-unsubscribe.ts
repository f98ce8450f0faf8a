import type { notifications, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { mailsName } from '../mail/notification-mail.ts'
import { confirmUnsubscribePage, invalidLinkPage } from '../mail/unsubscribe-page.ts'

/** Shows a button. Changes nothing, so that scanners and previews of mails do not unsubscribe the reader. */
export const showUnsubscribe: Operation<typeof notifications.showUnsubscribe, Context> = async (
  { unsubscribeTokens },
  _caller,
  { query: { token } },
) => {
  const mails = unsubscribeTokens.verify(token)?.mails
  return mails === undefined ? invalidLinkPage() : confirmUnsubscribePage(mailsName(mails), token)
}
