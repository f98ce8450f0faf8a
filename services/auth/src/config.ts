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
import { checkSignInConfig, signInConfig } from './sign-in-config.ts'
import { placementList, requireKnownShards } from './workspaces/shard-placement.ts'

/** Environment variables of the auth service. */
export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...cellsConfig,
    ...sealingConfig,
    ...signInConfig,
    /** Days a key signs access tokens before the next one replaces it. */
    SIGNING_KEY_DAYS: integer(1, 365).default(30),
    /** Days in which the deletion of a workspace can be cancelled. Default 7; 0 in development. */
    WORKSPACE_DELETION_GRACE_DAYS: integer(0, 90).optional(),
    /** Hours after which an account that signs in with passkeys only can be recovered by mail. */
    PASSKEY_RECOVERY_HOURS: integer(1, 720).default(24),
    /** Placements of new workspaces, evenly distributed: `one:EU,two:US`. Default the placement of auth itself. */
    OPEN_SHARDS: placementList.optional(),
  })
  .refine(...ownKekRule)
  .superRefine(checkSignInConfig)
  .superRefine(requireKnownShards)

export type Config = z.output<typeof config>
