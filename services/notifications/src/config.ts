import { brokerConfig, databaseConfig, processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({ ...processConfig, ...databaseConfig, ...brokerConfig })

export type Config = z.output<typeof config>
