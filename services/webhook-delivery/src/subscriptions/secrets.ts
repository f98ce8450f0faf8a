import { randomBytes } from 'node:crypto'
import type { Sealer } from '@wp/service'

/** Generates a secret in the format of Standard Webhooks: 32 random bytes. */
export const generateSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/**
 * Returns the associated data of a sealed secret. It is the same for the previous secret, so a rotation only moves it.
 */
export const secretBinding = (webhookId: string): string => `${webhookId}/secret`

export const sealSecret = (sealer: Sealer, webhookId: string, secret: string): string =>
  sealer.seal(secret, secretBinding(webhookId))

/** @throws Error if the key is unknown or the value was tampered with */
export const openSecret = (sealer: Sealer, webhookId: string, sealed: string): string =>
  sealer.open(sealed, secretBinding(webhookId))
