import {
  billingInternal,
  billingInvoices,
  billingPayments,
  billingPlans,
  billingSubscription,
  billingUsage,
} from '@wp/contracts'
import { bindSurface, type Service } from '@wp/service'
import type { Context } from './context.ts'
import { createInvoiceIssuer } from './invoices/invoice-issuer.ts'
import {
  internalOperations,
  invoiceOperations,
  paymentOperations,
  planOperations,
  subscriptionOperations,
  usageOperations,
} from './operations/index.ts'
import { createLimitResender, createPendingChangeWorker } from './subscriptions/subscription-workers.ts'
import { createLimitChecker } from './usage/limit-checker.ts'
import { createUsageConsumer } from './usage/usage-consumer.ts'

export function createService(context: Context): Service {
  const { bus, cells, now, log, metrics } = context
  const database = context.database.background
  return {
    surfaces: [
      bindSurface(billingPlans, planOperations, context),
      bindSurface(billingSubscription, subscriptionOperations, context),
      bindSurface(billingInvoices, invoiceOperations, context),
      bindSurface(billingPayments, paymentOperations, context),
      bindSurface(billingUsage, usageOperations, context),
      bindSurface(billingInternal, internalOperations, context),
    ],
    database,
    bus,
    cells,
    workspaceDeletion: { retained: { 'public.invoices': 'issued invoices are kept as long as the law requires' } },
    workers: [
      createPendingChangeWorker(context),
      createLimitResender(context),
      ...[bus, ...cells].map((cell) => createUsageConsumer({ database, bus: cell, log, metrics })),
      createInvoiceIssuer({ ...context, database }),
      createLimitChecker({ database, now, log }),
    ],
    close: context.close,
  }
}
