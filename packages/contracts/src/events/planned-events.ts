import { z } from 'zod'
import { event } from '../core/event.ts'
import { payloadExample, payloadFields } from './payload.ts'

const billingId = 'sub_01h455vb4pex5vsknk084sn02q'

/** Kinds that no service emits yet. Subscriptions cannot select them. */
export const plannedEvents = {
  AUDIT_DOC_FINISHED: event({
    kind: 'AUDIT_DOC_FINISHED',
    producer: 'audit',
    summary: 'A compliance export is ready',
    isSubscribable: true,
    planned: true,
    data: z.object({ ...payloadFields('finished'), format: z.string() }),
    example: payloadExample('doc_01h455vb4pex5vsknk084sn02q', 'finished', { format: 'csv' }),
  }),
  INVOICE_ISSUED: event({
    kind: 'INVOICE_ISSUED',
    producer: 'billing',
    summary: 'An invoice was issued',
    isSubscribable: true,
    planned: true,
    data: z.object({ ...payloadFields('open'), total_minor: z.number().int(), currency: z.string() }),
    example: payloadExample('bill_01h455vb4pex5vsknk084sn02q', 'open', { total_minor: 4900, currency: 'EUR' }),
  }),
  PLAN_CHANGED: event({
    kind: 'PLAN_CHANGED',
    producer: 'billing',
    summary: 'The plan of the workspace changed',
    isSubscribable: true,
    planned: true,
    data: z.object({ ...payloadFields('active'), plan_id: z.string() }),
    example: payloadExample(billingId, 'active', { plan_id: 'plan_01h455vb4pex5vsknk084sn02q' }),
  }),
  USAGE_LIMIT_REACHED: event({
    kind: 'USAGE_LIMIT_REACHED',
    producer: 'billing',
    summary: 'A meter reached its limit',
    isSubscribable: true,
    planned: true,
    data: z.object({ ...payloadFields('reached'), meter: z.string(), limit: z.number() }),
    example: payloadExample(billingId, 'reached', { meter: 'forecast_runs', limit: 100 }),
  }),
} as const
