import { defineService } from '@wp/service'
import { config } from './config.ts'
import { createContext } from './context.ts'
import { createService } from './service.ts'

export const definition = defineService({ name: 'console', config, createContext, createService })
