import { processConfig } from '@wp/service'
import { z } from 'zod'

export const config = z.object({ ...processConfig })

export type Config = z.output<typeof config>
