import { endpoints, type ServiceName, type SignerName, serviceNames, signerNames } from '@wp/contracts'
import { declarationOf } from './processes.ts'

/**
 * Who may come to a service: the edge where it serves somebody outside, the `callers` its contracts name, and who asks
 * all how they are.
 */
export function callersOf(service: ServiceName): SignerName[] {
  const own = endpoints.filter(({ definition, service: surface }) => (definition.service ?? surface) === service)
  const named = new Set<SignerName>(own.flatMap(({ definition }) => definition.callers ?? []))
  if (own.some(({ definition }) => (definition.audience ?? 'public') === 'public')) named.add('gateway')
  for (const name of signerNames) if (declarationOf(name).checksHealth === true) named.add(name)
  named.delete(service)
  return signerNames.filter((name) => named.has(name))
}

/** The services a process calls. */
export const calleesOf = (caller: SignerName): ServiceName[] =>
  serviceNames.filter((service) => callersOf(service).includes(caller))

/** Who may come to the database server of its cell. */
export const databaseUsers: readonly SignerName[] = signerNames.filter((name) => declarationOf(name).hasDatabase)

/** Who may come to the broker of its cell. */
export const brokerUsers: readonly SignerName[] = signerNames.filter((name) => declarationOf(name).usesBroker)
