import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { type NotificationCategory, notificationCategories } from '@wp/contracts'

/** The mails that a link ends: of one category, or all that are not critical. */
export type MailSelection = NotificationCategory | 'all'

const selections: readonly MailSelection[] = [...notificationCategories, 'all']

/** Mails that a link turns off: those of one user in one workspace. */
export interface Unsubscription {
  workspaceId: string
  userId: string
  mails: MailSelection
}

/** Signed tokens of the links that work without a sign-in. They permit only to turn off mails. */
export interface UnsubscribeTokens {
  create(unsubscription: Unsubscription): string
  /** @returns undefined if the token is not one of this cell */
  verify(token: string): Unsubscription | undefined
}

/** Creates and verifies tokens under keys derived from the KEK, also those of the KEK before the last rotation. */
export function createUnsubscribeTokens(config: {
  KEK: string
  KEK_PREVIOUS?: string | undefined
  SHARD: string
}): UnsubscribeTokens {
  const keys = [config.KEK, ...(config.KEK_PREVIOUS === undefined ? [] : [config.KEK_PREVIOUS])].map((kek) =>
    // HKDF-SHA-256 (RFC 5869). The KEK is random, so no salt is needed.
    Buffer.from(hkdfSync('sha256', Buffer.from(kek, 'base64'), '', 'wp.notifications/unsubscribe', 32)),
  )
  const macs = (content: string) => keys.map((key) => createHmac('sha256', key).update(content).digest())

  return {
    create({ workspaceId, userId, mails }) {
      const content = [config.SHARD, workspaceId, userId, mails].join('.')
      return `${content}.${macs(content)[0]?.toString('base64url')}`
    },
    verify(token) {
      const end = token.lastIndexOf('.')
      const content = token.slice(0, end)
      const given = Buffer.from(token.slice(end + 1), 'base64url')
      if (!macs(content).some((mac) => mac.length === given.length && timingSafeEqual(mac, given))) return undefined
      const [shard, workspaceId = '', userId = '', word] = content.split('.')
      const mails = selections.find((known) => known === word)
      return shard === config.SHARD && mails !== undefined ? { workspaceId, userId, mails } : undefined
    },
  }
}
