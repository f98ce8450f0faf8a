import { createOutbound, parseCidrs, parsePorts } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, needsOwnKek, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

/** What @wp/outbound reads by itself, refused here with the name of the variable. */
function parsed<T>(parse: (text: string) => T) {
  return z.string().transform((value, context): T => {
    try {
      return parse(value)
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
      return z.NEVER
    }
  })
}

const base = (standard: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(standard)
    .transform((value) => value.replace(/\/+$/, ''))

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...sealingConfig,
    OUTBOUND_ALLOW_CIDRS: parsed(parseCidrs).optional(),
    OUTBOUND_DENY_CIDRS: parsed(parseCidrs).optional(),
    OUTBOUND_PORTS: parsed(parsePorts).optional(),
    OUTBOUND_CA_FILE: z.string().optional(),
    /** How long a step of a test may take: to connect, or to answer. A test has two at most, and the edge waits for 30. */
    CONNECTION_TEST_SECONDS: integer(1, 14).default(10),
    /** How many integrations a workspace may have. */
    INTEGRATIONS_PER_WORKSPACE: integer(1, 1_000_000).default(1_000),
    /** Where the providers are that have one place for everybody. */
    GOOGLE_OAUTH_URL: base('https://oauth2.googleapis.com'),
    GITHUB_URL: base('https://github.com'),
    GITHUB_API_URL: base('https://api.github.com'),
    SLACK_API_URL: base('https://slack.com/api'),
    SLACK_HOOKS_URL: base('https://hooks.slack.com'),
  })
  .refine(...needsOwnKek)
  .superRefine(({ ENVIRONMENT, OUTBOUND_ALLOW_CIDRS: allowCidrs = [] }, context) => {
    try {
      createOutbound({ allowCidrs, production: ENVIRONMENT === 'production' }).close()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      context.addIssue({ code: 'custom', path: ['OUTBOUND_ALLOW_CIDRS'], message })
    }
  })

export type Config = z.output<typeof config>
