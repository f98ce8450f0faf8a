import { brokerConfig, databaseConfig, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({ ...processConfig, ...databaseConfig, ...brokerConfig, ...sealingConfig })

export type Config = z.output<typeof config>
