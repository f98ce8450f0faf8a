import type { Operation, system } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Responds with 200 in any case: the body states the health of the services. */
export const health: Operation<typeof system.health, Context> = async ({ fleetHealth }) => fleetHealth.read()
