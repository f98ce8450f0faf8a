import type { Context } from '../context.ts'
import type { Unsubscription } from './unsubscribe-token.ts'

/** Returns the address of the page that unsubscribes, which works without a sign-in. */
export const unsubscribeUrl = (
  { config, unsubscribeTokens }: Pick<Context, 'config' | 'unsubscribeTokens'>,
  unsubscription: Unsubscription,
): string =>
  `${config.PUBLIC_BASE_URL.replace(/\/+$/, '')}/v1/notifications/unsubscribe?token=${unsubscribeTokens.create(unsubscription)}`
