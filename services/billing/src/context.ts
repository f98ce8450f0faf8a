import type { Operation as EndpointOperation, surfaces } from '@wp/contracts'
import { connectDatabase, type Database } from '@wp/database'
import type { Bus } from '@wp/events'
import { createOutbound, outboundOptions } from '@wp/outbound'
import { checkFont } from '@wp/pdf'
import { connectBrokers, databaseSettings, type Logger, type ServiceRuntime } from '@wp/service'
import type { Config } from './config.ts'
import { manualProvider, type PaymentProvider } from './payments/payment-provider.ts'
import { createStripeProvider } from './payments/stripe-provider.ts'
import { type Client, createClient } from './store/client.ts'

/** The dependencies of the service, created once per process. */
export interface Context extends Pick<ServiceRuntime, 'internal' | 'log' | 'metrics' | 'now'> {
  config: Config
  database: Database<Client>
  bus: Bus
  /** Broker connections to the other cells. */
  cells: readonly Bus[]
  paymentProvider: PaymentProvider
  close(): void
}

type Endpoints = typeof surfaces.billing

/** Implements an endpoint of this service, by its name. */
export type Operation<Name extends keyof Endpoints> = EndpointOperation<Endpoints[Name], Context>

export async function createContext(
  config: Config,
  { log, metrics, internal, tracing, now }: ServiceRuntime,
): Promise<Context> {
  checkFont('BILLING_FONT_FILE', config.BILLING_FONT_FILE)
  const database = connectDatabase({
    ...databaseSettings(config),
    prisma: createClient,
    // The relay and the usage consumer of each cell hold one.
    workerPoolSize: config.DATABASE_WORKER_POOL_SIZE + 1 + 2 * config.CELLS.length,
    log,
    tracing,
  })
  const { bus, cells } = await connectBrokers(config, { name: 'billing', log })
  const { paymentProvider, close } = createPaymentProvider(config, log, now)
  return {
    internal,
    log,
    metrics,
    now,
    config,
    database,
    bus,
    cells,
    paymentProvider,
    close,
  }
}

/** Creates the provider that the configuration names, and a function that closes its connections. */
function createPaymentProvider(
  config: Config,
  log: Logger,
  now: () => number,
): { paymentProvider: PaymentProvider; close(): void } {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl, PUBLIC_BASE_URL: publicBaseUrl } = config
  if (secretKey === undefined) return { paymentProvider: manualProvider, close() {} }
  const outbound = createOutbound(outboundOptions(config, log))
  const paymentProvider = createStripeProvider({ secretKey, apiUrl, publicBaseUrl, outbound, now })
  return { paymentProvider, close: () => outbound.close() }
}
