import type { SsoConnection } from '@wp/contracts'
import type { z } from 'zod'

/** The connection of the workspace to the identity provider of its company. */
export type Connection = z.infer<typeof SsoConnection>

export const connectionQuery = 'company-connection'
