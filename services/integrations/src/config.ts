import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

const baseUrl = (defaultUrl: string) =>
  z
    .url({ protocol: /^https?$/ })
    .default(defaultUrl)
    .transform((value) => value.replace(/\/+$/, ''))

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...sealingConfig,
    ...outboundConfig,
    /** Time limits for each step of a connection test and for the whole test. The edge waits 30 seconds. */
    CONNECTION_TEST_SECONDS: integer(1, 14).default(10),
    CONNECTION_TEST_TOTAL_SECONDS: integer(1, 28).default(15),
    /** Base URLs of providers with a fixed address. */
    GOOGLE_OAUTH_URL: baseUrl('https://oauth2.googleapis.com'),
    GITHUB_URL: baseUrl('https://github.com'),
    GITHUB_API_URL: baseUrl('https://api.github.com'),
    SLACK_API_URL: baseUrl('https://slack.com/api'),
    SLACK_HOOKS_URL: baseUrl('https://hooks.slack.com'),
  })
  .refine(...ownKekRule)
  .superRefine(rejectPrivateRanges)

export type Config = z.output<typeof config>
