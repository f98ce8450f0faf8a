import {
  brokerConfig,
  cellsConfig,
  databaseConfig,
  integer,
  ownKekRule,
  processConfig,
  sealingConfig,
} from '@wp/service'
import { z } from 'zod'
import { checkSignInConfig, signInConfig } from './sign-in/config.ts'
import { placementList, requireKnownShards } from './workspaces/shard-placement.ts'

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
    OPEN_SHARDS: placementList.optional(),
  })
  .refine(...ownKekRule)
  .superRefine(checkSignInConfig)
  .superRefine(requireKnownShards)

export type Config = z.output<typeof config>
