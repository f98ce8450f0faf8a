import { cellsConfig, databaseConfig, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

export const config = z
  .object({
    ...processConfig,
    ...cellsConfig,
    ...databaseConfig,
    ...sealingConfig,
    /** Address at which the console reaches the edge for calls of the API; default: the public one. */
    EDGE_URL: z
      .url({ protocol: /^https?$/ })
      .transform((value) => value.replace(/\/+$/, ''))
      .optional(),
  })
  .refine(...ownKekRule)

export type Config = z.output<typeof config>
