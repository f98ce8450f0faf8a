import { brokerConfig, cellsConfig, databaseConfig, needsOwnKek, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

export const config = z
  .object({ ...processConfig, ...databaseConfig, ...brokerConfig, ...cellsConfig, ...sealingConfig })
  .refine(...needsOwnKek)

export type Config = z.output<typeof config>
