import {
  callersOf as endpointCallersOf,
  endpoints,
  type ServiceName,
  type SignerName,
  serviceNames,
  signerNames,
  sites,
} from '@wp/contracts'
import { declarationOf } from './processes.ts'

/**
 * Returns the processes that may call a service: the gateway if it has a public endpoint or a site, the `callers` of
 * its endpoints, and the process that polls the health of all services.
 */
export function callersOf(service: ServiceName): SignerName[] {
  const own = endpoints.filter((endpoint) => endpoint.service === service)
  const named = new Set<SignerName>(own.flatMap(({ definition }) => endpointCallersOf(definition)))
  if (own.some(({ definition }) => (definition.audience ?? 'public') === 'public')) named.add('gateway')
  if (sites.some((site) => site.service === service)) named.add('gateway')
  for (const name of signerNames) if (declarationOf(name).checksHealth === true) named.add(name)
  named.delete(service)
  return signerNames.filter((name) => named.has(name))
}

/** Returns the processes that a process may call. */
export const calleesOf = (caller: SignerName): SignerName[] => [
  ...serviceNames.filter((service) => callersOf(service).includes(caller)),
  ...(declarationOf(caller).callsGateway === true ? (['gateway'] as const) : []),
]

/** The processes that may connect to the broker of their cell. */
export const brokerUsers: readonly SignerName[] = signerNames.filter((name) => declarationOf(name).usesBroker)
