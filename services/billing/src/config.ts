import { brokerConfig, cellsConfig, databaseConfig, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({ ...processConfig, ...databaseConfig, ...brokerConfig, ...cellsConfig })

export type Config = z.output<typeof config>
