/**
 * The services of the platform. A global service runs once, in the home cell, and serves all cells; any other service
 * runs in every cell and serves the workspaces of that cell. A service with a database takes part in the deletion of a
 * workspace.
 */
export const services = {
  auth: { isGlobal: true, hasDatabase: true },
  system: { isGlobal: true, hasDatabase: true },
  data: { isGlobal: false, hasDatabase: true },
  integrations: { isGlobal: false, hasDatabase: true },
  'webhook-delivery': { isGlobal: false, hasDatabase: true },
  solutions: { isGlobal: false, hasDatabase: true },
  audit: { isGlobal: false, hasDatabase: true },
  ai: { isGlobal: false, hasDatabase: true },
  mcp: { isGlobal: false, hasDatabase: false },
  billing: { isGlobal: true, hasDatabase: true },
  notifications: { isGlobal: false, hasDatabase: true },
} as const satisfies Record<string, { isGlobal: boolean; hasDatabase: boolean }>

/** The name of a service. */
export type ServiceName = keyof typeof services

/** Every service name. */
export const serviceNames = Object.keys(services) as ServiceName[] // the keys of a constant object are exactly its declared names

/** A process that signs assertions: the edge gateway or a service. */
export type SignerName = ServiceName | 'gateway'

/** Every signer name, the gateway first. */
export const signerNames: readonly SignerName[] = ['gateway', ...serviceNames]

/** Returns true if the process serves all cells: the gateway and the global services. */
export const isGlobal = (name: SignerName): boolean => name === 'gateway' || services[name].isGlobal

/** Returns true if the word is the name of a signer. */
export const isSigner = (word: string): word is SignerName => (signerNames as readonly string[]).includes(word) // widened for the lookup only
