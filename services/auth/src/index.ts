import { defineService } from '@wp/service'
import { config } from './config.ts'
import { createContext } from './context.ts'
import { createService } from './service.ts'

export const definition = defineService({ name: 'auth', config, createContext, createService })

export type { Context } from './context.ts'
export { openContext } from './context.ts'
export type { SeedOptions } from './seed/options.ts'
export { type SeedResult, seed } from './seed/seed.ts'
export { type SignIn, type StartedSession, startSession } from './sessions/start-session.ts'
export { issueAccessToken, type TokenSubject } from './tokens/access-token.ts'
