import { readConfig } from '@wp/service'
import { z } from 'zod'
import type { SeedOptions } from './options.ts'

const settings = z.object({
  SEED_WORKSPACE_NAME: z.string().default('First workspace'),
  SEED_OWNER_EMAIL: z.string(),
  SEED_WORKSPACE_ID: z.string().optional(),
  SEED_CLIENT_ID: z.string().optional(),
  SEED_CLIENT_SECRET: z.string().optional(),
  SEED_API_KEY: z.string().optional(),
  /** Where the credentials are written as JSON. */
  SEED_OUTPUT_FILE: z.string().optional(),
})

/** What an environment asks to be seeded. @throws ConfigError naming what is missing */
export function seedSettings(env: Readonly<Record<string, string | undefined>>): {
  options: SeedOptions
  outputFile: string | undefined
} {
  const given = readConfig(settings, env)
  const optional = {
    workspaceId: given.SEED_WORKSPACE_ID,
    clientId: given.SEED_CLIENT_ID,
    clientSecret: given.SEED_CLIENT_SECRET,
    apiKey: given.SEED_API_KEY,
  }
  const present = Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined))
  const options = { workspaceName: given.SEED_WORKSPACE_NAME, ownerEmail: given.SEED_OWNER_EMAIL, ...present }
  return { options, outputFile: given.SEED_OUTPUT_FILE }
}
