import { brokerConfig, cellsConfig, databaseConfig, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

export const config = z
  .object({ ...processConfig, ...databaseConfig, ...brokerConfig, ...cellsConfig, ...sealingConfig })
  .refine(...ownKekRule)

export type Config = z.output<typeof config>
