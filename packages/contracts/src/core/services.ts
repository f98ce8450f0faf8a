/**
 * The services of the platform. A global service runs once, in the home cell, and serves all cells; any other service
 * runs in every cell and serves the workspaces of that cell. A service that stores data of workspaces takes part in
 * their deletion; the console stores sessions of users and assets only.
 */
export const services = {
  auth: { isGlobal: true, storesWorkspaceData: true },
  system: { isGlobal: true, storesWorkspaceData: true },
  data: { isGlobal: false, storesWorkspaceData: true },
  integrations: { isGlobal: false, storesWorkspaceData: true },
  'webhook-delivery': { isGlobal: false, storesWorkspaceData: true },
  solutions: { isGlobal: false, storesWorkspaceData: true },
  audit: { isGlobal: false, storesWorkspaceData: true },
  ai: { isGlobal: false, storesWorkspaceData: true },
  mcp: { isGlobal: false, storesWorkspaceData: false },
  billing: { isGlobal: true, storesWorkspaceData: true },
  notifications: { isGlobal: false, storesWorkspaceData: true },
  console: { isGlobal: true, storesWorkspaceData: false },
} as const satisfies Record<string, { isGlobal: boolean; storesWorkspaceData: boolean }>

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
