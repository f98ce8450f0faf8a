import { endpoint } from '../core/endpoint/endpoint.ts'
import { listQuery } from '../core/shape/shape.ts'
import { Plan } from './plan-shapes.ts'

/** The plans a workspace can subscribe to. */
export const billingPlans = {
  listPlans: endpoint({
    id: 'billing.listPlans',
    method: 'GET',
    path: '/v1/billing/plans',
    summary: 'List the plans, cheapest first',
    description:
      'Each plan has its price, its included usage, and its limits. `PATCH /v1/billing/subscription` changes to one.',
    scope: 'billing:read',
    query: listQuery({}),
    list: Plan,
  }),
}
