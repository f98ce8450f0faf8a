import type { notifications, Operation } from '@wp/contracts'
import type { Context } from '../context.ts'
import { categoryName } from '../mail/notification-mail.ts'
import { confirmUnsubscribePage, invalidLinkPage } from '../mail/unsubscribe-page.ts'

/** Shows a button. Changes nothing, so that scanners and previews of mails unsubscribe nobody. */
export const showUnsubscribe: Operation<typeof notifications.showUnsubscribe, Context> = async (
  { unsubscribeTokens },
  _caller,
  { query: { token } },
) => {
  const category = unsubscribeTokens.verify(token)?.category
  return category === undefined ? invalidLinkPage() : confirmUnsubscribePage(categoryName(category), token)
}
