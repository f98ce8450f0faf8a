import { randomBytes } from 'node:crypto'
import type { Sealer } from '@wp/service'

/** A new secret in the form of Standard Webhooks: 32 random bytes. */
export const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The same binding for the current and the previous secret, so that a rotation moves it as it is. */
export const secretBinding = (webhookId: string): string => `${webhookId}/secret`

export const sealSecret = (sealer: Sealer, webhookId: string, secret: string): string =>
  sealer.seal(secret, secretBinding(webhookId))

/** @throws when the key is gone or the value was tampered with */
export const openSecret = (sealer: Sealer, webhookId: string, sealed: string): string =>
  sealer.open(sealed, secretBinding(webhookId))
