import { outboundConfig, rejectPrivateRanges } from '@wp/outbound'
import { brokerConfig, cellsConfig, databaseConfig, processConfig } from '@wp/service'
import { z } from 'zod'
import { invoiceConfig } from './invoices/invoice-config.ts'
import { checkPaymentConfig, paymentConfig } from './payments/payment-config.ts'

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
