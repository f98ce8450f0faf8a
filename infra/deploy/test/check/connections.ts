import { isSigner } from '@wp/contracts'
import { connectionsOf, reservedConnections } from '../../src/database-connections.ts'
import type { Manifest } from './manifest.ts'
import { namespaceOf, titleOf, workloadsOf } from './workloads.ts'

// The casts below state what the schema of each kind guarantees; manifests are validated before.

/** Reports database servers with fewer connections than the processes of their namespace may open. */
export const connectionProblems = (manifests: readonly Manifest[]): string[] =>
  manifests.flatMap((server) => {
    const limit = connectionLimitOf(server)
    if (limit === undefined) return []
    const needed = neededConnections(manifests.filter((each) => namespaceOf(each) === namespaceOf(server)))
    return needed <= limit
      ? []
      : [`${titleOf(server)}: has ${limit} connections, but ${needed} are needed with every replica`]
  })

/** Returns `max_connections` of a database server, or undefined if the manifest is none. */
function connectionLimitOf(manifest: Manifest): number | undefined {
  if (manifest.kind === 'Cluster') {
    const { postgresql } = manifest.spec as { postgresql?: { parameters?: Record<string, string> } }
    return Number(postgresql?.parameters?.max_connections ?? 100)
  }
  if (manifest.kind !== 'StatefulSet') return undefined
  const args = workloadsOf([manifest])[0]?.spec.containers[0]?.args ?? []
  const [, limit] = /max_connections=(\d+)/.exec(args.join(' ')) ?? []
  return limit === undefined ? undefined : Number(limit)
}

function neededConnections(manifests: readonly Manifest[]): number {
  const cells = otherCellsOf(manifests)
  return manifests.reduce((sum, { kind, metadata, spec }) => {
    const { name } = metadata
    if (kind !== 'Deployment' || !isSigner(name)) return sum
    const { replicas = 1 } = spec as { replicas?: number }
    return sum + connectionsOf(name, maxReplicasOf(name, manifests) ?? replicas, cells)
  }, reservedConnections)
}

function maxReplicasOf(name: string, manifests: readonly Manifest[]): number | undefined {
  const autoscaler = manifests.find(
    ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name,
  )
  return (autoscaler?.spec as { maxReplicas: number } | undefined)?.maxReplicas
}

/** Counts the other cells to whose brokers the global processes connect. */
function otherCellsOf(manifests: readonly Manifest[]): number {
  const settings = manifests.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith('platform'))
  const { CELLS = '' } = (settings?.data ?? {}) as Record<string, string>
  return CELLS.split(';').filter((cell) => cell !== '').length
}
