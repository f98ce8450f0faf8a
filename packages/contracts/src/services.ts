interface ServiceDeclaration {
  /** What it is for, in a sentence. */
  purpose: string
  /** Whether it serves all shards from one place. */
  global: boolean
}

/** The services of the fleet. */
export const services = {
  auth: { purpose: 'Tokens, API keys, service principals, and who may do what', global: true },
  system: { purpose: 'Health of the fleet, workspaces and their variables', global: true },
  data: { purpose: 'Data sources, syncs and records', global: false },
  integrations: { purpose: 'What workspaces connect to, and the secrets for it', global: false },
  webhooks: { purpose: 'Webhook subscriptions and their deliveries', global: false },
  'webhook-delivery': { purpose: 'Keeps subscriptions and delivers events to them', global: false },
  solutions: { purpose: 'Packaged workflows: workplace forecasting and what follows from it', global: false },
  audit: { purpose: 'The audit log: a hash chain a workspace, and its verification', global: false },
} as const satisfies Record<string, ServiceDeclaration>

/** The name of a service. */
export type ServiceName = keyof typeof services

/** Every service name. */
export const serviceNames = Object.keys(services) as ServiceName[] // the keys of a constant object are exactly its declared names

/** Who signs assertions: the edge and every service. */
export type SignerName = ServiceName | 'gateway'

/** Every signer. */
export const signerNames: readonly SignerName[] = ['gateway', ...serviceNames]

/** Whether a word names a signer. */
export const isSigner = (word: string): word is SignerName => (signerNames as readonly string[]).includes(word) // widened for the lookup only
