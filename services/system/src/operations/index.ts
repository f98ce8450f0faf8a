import type { Operation } from '../context.ts'

// Every operation by the name of its endpoint. `bindSurface` does not compile while one is missing.
export { usage } from './usage.ts'
export { deleteVariable, getVariable, listVariables, listVariableVersions, putVariable } from './variables.ts'

/** Responds with 200 in any case: the body states the health of the services. */
export const health: Operation<'health'> = ({ fleetHealth }) => fleetHealth.read()
