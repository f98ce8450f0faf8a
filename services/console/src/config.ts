import { cellsConfig, databaseConfig, integer, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'
import { builtName } from './page/name-product.ts'

export const config = z
  .object({
    ...processConfig,
    ...cellsConfig,
    ...databaseConfig,
    /** The key under which the tokens of the sessions are sealed. */
    ...sealingConfig,
    /** Address at which the console reaches the edge for calls of the API; default: the public one. */
    EDGE_URL: z
      .url({ protocol: /^https?$/ })
      .transform((value) => value.replace(/\/+$/, ''))
      .optional(),
    /** The name of the product: in titles, beside the logo, and on the sign-in page. */
    PRODUCT_NAME: z.string().trim().min(1).max(60).default(builtName),
    /** Time without use after which a session ends. The refresh token may end it before. */
    SESSION_IDLE_DAYS: integer(1, 365).default(30),
    /** Time after which a session ends, however much it is used. */
    SESSION_MAX_DAYS: integer(1, 365).default(90),
  })
  .refine(...ownKekRule)

export type Config = z.output<typeof config>
