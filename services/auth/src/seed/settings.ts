import { readConfig } from '@wp/service'
import { z } from 'zod'
import type { SeedOptions } from './options.ts'

const seedVariables = z.object({
  SEED_WORKSPACE_NAME: z.string().default('First workspace'),
  SEED_OWNER_EMAIL: z.string(),
  SEED_WORKSPACE_ID: z.string().optional(),
  SEED_CLIENT_ID: z.string().optional(),
  SEED_CLIENT_SECRET: z.string().optional(),
  SEED_API_KEY: z.string().optional(),
  /** JSON file for the credentials. */
  SEED_OUTPUT_FILE: z.string().optional(),
})

/** Reads the seed options from the environment. @throws ConfigError naming the missing variables */
export function readSeedSettings(env: Readonly<Record<string, string | undefined>>): {
  options: SeedOptions
  outputFile: string | undefined
} {
  const variables = readConfig(seedVariables, env)
  const optional = {
    workspaceId: variables.SEED_WORKSPACE_ID,
    clientId: variables.SEED_CLIENT_ID,
    clientSecret: variables.SEED_CLIENT_SECRET,
    apiKey: variables.SEED_API_KEY,
  }
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  const options = { workspaceName: variables.SEED_WORKSPACE_NAME, ownerEmail: variables.SEED_OWNER_EMAIL, ...present }
  return { options, outputFile: variables.SEED_OUTPUT_FILE }
}
