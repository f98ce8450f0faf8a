import type { Operation, system } from '@wp/contracts'
import type { Context } from '../context.ts'

/** Always 200: the answer says how the fleet is, not whether this service answers. */
export const health: Operation<typeof system.health, Context> = async ({ fleetHealth }) => fleetHealth.read()
