// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { getDetails, updateDetails } from './details.ts'
export { getUsage } from './get-usage.ts'
export { getInvoice, getInvoicePdf, listInvoices } from './invoices.ts'
export { readMeterUsage } from './read-meter-usage.ts'
export { receiveStripeEvent } from './receive-stripe-event.ts'
export { startPayment } from './start-payment.ts'
export { getSubscription, listPlans, updateSubscription } from './subscription.ts'
