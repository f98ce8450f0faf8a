import { brokerConfig, cellsConfig, databaseConfig, processConfig } from '@wp/service'
import { z } from 'zod'
import { invoiceConfig } from './invoices/invoice-config.ts'

export const config = z.object({
  ...processConfig,
  ...databaseConfig,
  ...brokerConfig,
  ...cellsConfig,
  ...invoiceConfig,
})

export type Config = z.output<typeof config>
