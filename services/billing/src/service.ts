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
import { invoiceSchedule } from './invoices/issue-invoice.ts'
import * as operations from './operations/index.ts'
import { limitResendSchedule, pendingChangeSchedule } from './subscriptions/subscription-workers.ts'
import { limitCheckSchedule } from './usage/limit-checker.ts'
import { createUsageConsumer } from './usage/usage-consumer.ts'

export function createService(context: Context): Service {
  const { bus, cells, now, log, metrics } = context
  const database = context.database.background
  return {
    surfaces: [
      bindSurface(billingPlans, operations, context),
      bindSurface(billingSubscription, operations, context),
      bindSurface(billingInvoices, operations, context),
      bindSurface(billingPayments, operations, context),
      bindSurface(billingUsage, operations, context),
      bindSurface(billingInternal, operations, context),
    ],
    database,
    bus,
    cells,
    workspaceDeletion: { retained: { 'public.invoices': 'issued invoices are kept as long as the law requires' } },
    schedules: [
      pendingChangeSchedule(context),
      limitResendSchedule(context),
      invoiceSchedule({ ...context, database }),
      limitCheckSchedule({ database, now }),
    ],
    workers: [...[bus, ...cells].map((cell) => createUsageConsumer({ database, bus: cell, log, metrics }))],
    close: context.close,
  }
}
