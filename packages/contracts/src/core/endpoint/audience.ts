import type { SignerName } from '../services.ts'
import { type Delegation, delegations } from './delegation.ts'
import type { EndpointDefinition } from './endpoint.ts'
import type { Scope } from './scope.ts'

/** An endpoint that callers reach through the edge. */
export type PublicEndpoint = EndpointDefinition & { audience?: 'public' }

/** An internal endpoint that is called on behalf of a caller who has its scope. */
export type CallerEndpoint = EndpointDefinition & { audience: 'internal'; scope: Scope }

/** An internal endpoint that a service may also call on its own behalf, for the delegated uses it lists. */
export type DelegableEndpoint = CallerEndpoint & { delegations: readonly Delegation[] }

/** An internal endpoint that services call on their own behalf alone. */
export type SystemEndpoint = EndpointDefinition & { audience: 'internal'; allowsSystemCalls: true }

/** Returns true if a service may call an endpoint on its own behalf: always, or for a delegated use that it makes. */
export const acceptsSystemCall = (
  { allowsSystemCalls, delegations: listed = [] }: EndpointDefinition,
  issuer: SignerName,
): boolean => allowsSystemCalls === true || listed.some((name) => delegations[name].service === issuer)

/** Returns the signers other than the edge that may call an endpoint. Tools are called by the MCP service. */
export const callersOf = ({ callers = [], tool }: EndpointDefinition): readonly SignerName[] =>
  tool === undefined || callers.includes('mcp') ? callers : [...callers, 'mcp']

/** Returns true if callers reach an endpoint through the edge. */
export const isPublic = (definition: EndpointDefinition): definition is PublicEndpoint =>
  definition.audience !== 'internal'
