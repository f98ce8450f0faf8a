import { describeIssue } from '@wp/contracts'
import type { z } from 'zod'

/** Thrown for a configuration that is not valid. The message names each bad variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration of a service from an environment.
 * @throws ConfigError naming every variable that is missing or bad, without its value, which may be secret
 */
export function readConfig<S extends z.ZodType>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const result = schema.safeParse(present, { error: describeIssue })
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => {
    const name = issue.path.join('.') || 'configuration'
    const isMissing = present[name] === undefined && issue.code === 'invalid_type'
    return `${name} ${isMissing ? 'is missing' : `is not valid: ${issue.message}`}`
  })
  throw new ConfigError([...new Set(lines)].join('; '))
}
