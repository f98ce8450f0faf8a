import { brokerConfig, databaseConfig, integer, needsOwnKek, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'
import { signInConfig, signInRules } from './sign-in/config.ts'

/** What the auth service is told by its environment. */
export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...sealingConfig,
    ...signInConfig,
    /** How long a key signs access tokens before the next one takes over. */
    SIGNING_KEY_DAYS: integer(1, 365).default(30),
  })
  .refine(...needsOwnKek)
  .superRefine(signInRules)

export type Config = z.output<typeof config>
