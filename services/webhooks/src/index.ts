import { defineService, processConfig } from '@wp/service'
import { z } from 'zod'
import { createContext } from './context.ts'
import { createService } from './service.ts'

export const definition = defineService({
  name: 'webhooks',
  config: z.object(processConfig),
  context: createContext,
  service: createService,
})
