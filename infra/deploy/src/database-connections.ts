import { type SignerName, signerNames } from '@wp/contracts'
import { declarationOf } from './processes.ts'

/** The replicas that a rollout adds to a Deployment (`maxSurge`). */
const surgeReplicas = 1

/** Connections for jobs, migrators, the operator of the server and its administrators. */
export const reservedConnections = 50

/** The other cells for which the database server of the home cell has connections. */
const otherCells = 4

/** The `max_connections` of the database server of a cell: enough for every process with all its replicas. */
export const maxConnections =
  Math.ceil(
    (signerNames.reduce((sum, name) => sum + connectionsOf(name, declarationOf(name).maxReplicas, otherCells), 0) +
      reservedConnections) /
      50,
  ) * 50

/** Returns the most connections that the replicas of a process open during a rollout. */
export function connectionsOf(name: SignerName, maxReplicas: number, cells: number): number {
  const { own = 0, perOtherCell = 0 } = declarationOf(name).connections ?? {}
  return (own + perOtherCell * cells) * (maxReplicas + surgeReplicas)
}
