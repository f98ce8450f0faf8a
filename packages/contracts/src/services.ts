/** The services of the fleet and the path prefixes they answer. */
export const services = {
  auth: { prefixes: ['/v1/auth', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server'], global: true },
  system: { prefixes: ['/v1/system'], global: true },
  data: { prefixes: ['/v1/data'], global: false },
  webhooks: { prefixes: ['/v1/webhooks'], global: false },
  'webhook-delivery': { prefixes: [], global: false },
  solutions: { prefixes: ['/v1/solutions'], global: false },
} as const satisfies Record<string, { prefixes: readonly string[]; global: boolean }>

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
