import type {
  billingInternal,
  billingInvoices,
  billingPayments,
  billingPlans,
  billingSubscription,
  billingUsage,
  Operations,
} from '@wp/contracts'
import type { Context } from '../context.ts'
import { getDetails, updateDetails } from './details.ts'
import { getUsage } from './get-usage.ts'
import { getInvoice, getInvoicePdf, listInvoices } from './invoices.ts'
import { readMeterUsage } from './read-meter-usage.ts'
import { receiveStripeEvent } from './receive-stripe-event.ts'
import { startPayment } from './start-payment.ts'
import { getSubscription, listPlans, updateSubscription } from './subscription.ts'

export const planOperations = { listPlans } satisfies Operations<typeof billingPlans, Context>

export const usageOperations = { getUsage } satisfies Operations<typeof billingUsage, Context>

export const internalOperations = { readMeterUsage } satisfies Operations<typeof billingInternal, Context>

export const invoiceOperations = {
  listInvoices,
  getInvoice,
  getInvoicePdf,
  getDetails,
  updateDetails,
} satisfies Operations<typeof billingInvoices, Context>

export const paymentOperations = { startPayment, receiveStripeEvent } satisfies Operations<
  typeof billingPayments,
  Context
>

export const subscriptionOperations = { getSubscription, updateSubscription } satisfies Operations<
  typeof billingSubscription,
  Context
>
