import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, cellsConfig, databaseConfig, processConfig } from '@wp/service'
import { z } from 'zod'
import { invoiceConfig } from './invoices/invoice-config.ts'

/** Environment variables for payments. Without them, operators record payments. */
const paymentConfig = {
  /** Secret key of a Stripe account: invoices can then be paid on a page of Stripe. */
  STRIPE_SECRET_KEY: z.string().min(1).optional(),
  /** Signing secret of the webhook endpoint at Stripe, which sends events to /v1/billing/payments/stripe/events. */
  STRIPE_WEBHOOK_SECRET: z.string().min(8).optional(),
  /** The address of the API of Stripe. */
  STRIPE_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.stripe.com'),
}

export const config = z
  .object({
    ...processConfig,
    ...databaseConfig,
    ...brokerConfig,
    ...cellsConfig,
    ...outboundConfig,
    ...invoiceConfig,
    ...paymentConfig,
  })
  .superRefine(rejectPrivateRanges)
  .superRefine(checkPaymentConfig)

export type Config = z.output<typeof config>

type PaymentConfig = z.output<z.ZodObject<typeof paymentConfig>> & { ENVIRONMENT: string }

/** Requires what belongs together; for `superRefine`. */
function checkPaymentConfig(config: PaymentConfig, context: z.RefinementCtx): void {
  const { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_URL: url, ENVIRONMENT } = config
  const reject = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
  if (key !== undefined && secret === undefined)
    reject('STRIPE_WEBHOOK_SECRET', 'must be set beside STRIPE_SECRET_KEY, or payments would never be recorded')
  if (ENVIRONMENT === 'production' && !url.startsWith('https:')) reject('STRIPE_API_URL', 'must be https in production')
}
