import {
  brokerConfig,
  cellsConfig,
  databaseConfig,
  integer,
  needsOwnKek,
  processConfig,
  sealingConfig,
} from '@wp/service'
import { z } from 'zod'
import { signInConfig, signInRules } from './sign-in/config.ts'
import { homes, onlyKnownShards } from './workspaces/homes.ts'

/** What the auth service is told by its environment. */
export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...cellsConfig,
    ...sealingConfig,
    ...signInConfig,
    /** How long a key signs access tokens before the next one takes over. */
    SIGNING_KEY_DAYS: integer(1, 365).default(30),
    /** Where new workspaces are put: `one:EU,two:US`, evenly. Default where auth is. Those that are there stay. */
    OPEN_SHARDS: homes.optional(),
  })
  .refine(...needsOwnKek)
  .superRefine(signInRules)
  .superRefine(onlyKnownShards)

export type Config = z.output<typeof config>
