import { brokerConfig, databaseConfig, integer, needsOwnKek, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

/** What the auth service is told by its environment. */
export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...sealingConfig,
    /** How long a key signs access tokens before the next one takes over. */
    SIGNING_KEY_DAYS: integer(1, 365).default(30),
  })
  .refine(...needsOwnKek)

export type Config = z.output<typeof config>
