import { isSigner } from '@wp/contracts'
import { namespaceOf } from './check/workloads.ts'
import type { Manifest } from './manifests/manifest.ts'

/** One call of kubectl. */
export interface RolloutStep {
  args: string[]
  /** What it applies. */
  manifests?: readonly Manifest[]
}

/**
 * How a version comes to an environment, each step when the one before has ended well: what everything stands on; the
 * databases; the services, each with its migrator before it; and the edge last. So the edge never forwards what a service
 * does not know yet; until then the old edge serves, which asks for nothing that the new services had taken away.
 */
export function rolloutSteps(manifests: readonly Manifest[]): RolloutStep[] {
  const stages = Map.groupBy(manifests, stageOf)
  const [prerequisites = [], jobs = [], services = [], edge = []] = [0, 1, 2, 3].map((stage) => stages.get(stage))
  return [
    apply(prerequisites),
    ...prerequisites.filter(({ kind }) => kind === 'StatefulSet').map(waitForRollout),
    ...prerequisites
      .filter(({ apiVersion }) => apiVersion.startsWith('postgresql.cnpg.io/'))
      .map((each) => waitForCondition('Ready', each)),
    // A job cannot be changed, and finds nothing to do the next time.
    ...jobs.map((each) => ({ args: ['delete', ...nameOf(each), '--ignore-not-found', '--wait'] })),
    ...(jobs.length > 0 ? [apply(jobs)] : []),
    ...jobs.map((each) => waitForCondition('Complete', each)),
    apply(services),
    ...services.map(waitForRollout),
    apply(edge),
    ...edge.filter(({ kind }) => kind === 'Deployment').map(waitForRollout),
  ]
}

function stageOf({ kind, metadata }: Manifest): number {
  if (kind === 'Job') return 1
  if (kind === 'Ingress') return 3
  if (kind !== 'Deployment') return 0
  if (!isSigner(metadata.name)) throw new Error(`nobody said when ${metadata.name} comes`)
  return metadata.name === 'gateway' ? 3 : 2
}

const apply = (manifests: readonly Manifest[]): RolloutStep => ({
  args: ['apply', '--server-side', '--field-manager=rollout', '-f', '-'],
  manifests,
})

const nameOf = (manifest: Manifest) => [
  `${manifest.kind.toLowerCase()}/${manifest.metadata.name}`,
  `--namespace=${namespaceOf(manifest)}`,
]

const waitForRollout = (manifest: Manifest): RolloutStep => ({
  args: ['rollout', 'status', ...nameOf(manifest), '--timeout=10m'],
})

const waitForCondition = (condition: string, manifest: Manifest): RolloutStep => ({
  args: ['wait', `--for=condition=${condition}`, ...nameOf(manifest), '--timeout=15m'],
})
