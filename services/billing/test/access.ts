import type { AccessContext, AccessFixtures } from '@wp/testkit'
import { plans } from '../src/plans.ts'
import { connectBillingDatabase, insertOpenInvoice } from './invoices/billing-database.ts'

export const accessFixtures: AccessFixtures = {
  'billing.listPlans': {},
  'billing.getSubscription': {},
  'billing.updateSubscription': { request: { body: { pending_change: null } }, alternativeBody: {} },
  'billing.listInvoices': {},
  'billing.getInvoice': { params: subscribedInvoice },
  'billing.getInvoicePdf': { params: subscribedInvoice },
  'billing.startPayment': { params: openInvoice },
  'billing.getDetails': {},
  'billing.updateDetails': {
    request: { body: { company_name: 'Example GmbH' } },
    alternativeBody: { company_name: 'Another GmbH' },
  },
  'billing.getUsage': {},
}

/** Subscribes the owner's workspace to a plan with a price, and returns its draft. */
async function subscribedInvoice({ fleet, owner, read }: AccessContext): Promise<{ id: string }> {
  const plan_id = plans.find(({ code }) => code === 'team')?.id
  await fleet.request('PATCH', '/v1/billing/subscription', { as: owner.principal, body: { plan_id } })
  return { id: (await read('/v1/billing/invoices'))[0].id }
}

/** Issues an invoice to the owner's workspace. */
async function openInvoice({ fleet }: AccessContext): Promise<{ id: string }> {
  const billing = await connectBillingDatabase(fleet.env('billing'))
  try {
    const { id } = await insertOpenInvoice(billing, fleet.owner.workspaceId, fleet.env('billing').SHARD)
    return { id }
  } finally {
    await billing.close()
  }
}
