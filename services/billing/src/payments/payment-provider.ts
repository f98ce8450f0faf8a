import type { paymentProviders } from '@wp/contracts'

/** The part of an invoice that a payment needs. */
export interface PayableInvoice {
  id: string
  number: string
  totalMinor: number
  /** ISO 4217, in upper case. */
  currency: string
  /** Address of the customer for the receipt, if known. */
  email: string | null
}

/** A payment that a customer can complete. */
export interface StartedPayment {
  /** Identifies the payment at the provider; null if it keeps none. */
  reference: string | null
  instructions: string
  url: string | null
  expiresAt: Date | null
}

/** A payment as the provider reports it. */
export interface ProviderPayment {
  reference: string
  /** The invoice that the payment was started for. */
  invoiceId: string | null
  isPaid: boolean
  amountMinor: number
  currency: string
}

/** Takes payments of invoices. The invoice is the truth: a provider only reports what it received. */
export interface PaymentProvider {
  readonly name: (typeof paymentProviders)[number]
  /** Starts a payment. Repeating it soon returns the same payment. @throws Problem `service_unavailable` */
  createPayment(invoice: PayableInvoice): Promise<StartedPayment>
  /** Reads a payment; undefined if the provider does not know it. @throws Problem `service_unavailable` */
  readPayment(reference: string): Promise<ProviderPayment | undefined>
}

/** The provider without a connection to a bank: operators record payments by `npm run invoices`. */
export const manualProvider: PaymentProvider = {
  name: 'manual',
  createPayment: async ({ number }) => ({
    reference: null,
    instructions: `Pay by bank transfer to the account of the seller, and name ${number}.`,
    url: null,
    expiresAt: null,
  }),
  readPayment: async () => undefined,
}
