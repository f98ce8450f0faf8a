import { mailConfig } from '@wp/mail'
import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, databaseConfig, integer, ownKekRule, processConfig, sealingConfig } from '@wp/service'
import { z } from 'zod'

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    /** The key of the links that unsubscribe is derived from it. */
    ...sealingConfig,
    ...mailConfig,
    ...outboundConfig,
    /** Base address of the API of Slack, for integrations with a bot token. */
    SLACK_API_URL: z
      .url({ protocol: /^https?$/ })
      .default('https://slack.com/api')
      .transform((value) => value.replace(/\/+$/, '')),
    /** Lease of a running job; renewed three times within this time. */
    JOB_LEASE_SECONDS: integer(1, 600).default(15),
  })
  .refine(...ownKekRule)
  .superRefine(rejectPrivateRanges)

export type Config = z.output<typeof config>
