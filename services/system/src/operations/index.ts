// Every operation of the service, by the name of its endpoint.
import type { Operation, system } from '@wp/contracts'
import type { Context } from '../context.ts'

export * from './usage.ts'
export * from './variables.ts'

/** Responds with 200 in any case: the body states the health of the services. */
export const health: Operation<typeof system.health, Context> = ({ fleetHealth }) => fleetHealth.read()
