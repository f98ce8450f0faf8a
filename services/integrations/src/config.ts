import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

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
    ...outboundConfig,
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
  .refine(...ownKekRule)
  .superRefine(rejectPrivateRanges)

export type Config = z.output<typeof config>
