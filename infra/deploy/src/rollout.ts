import { isSigner } from '@wp/contracts'
import { namespaceOf } from './check/workloads.ts'
import type { Manifest } from './manifests/manifest.ts'

/** One invocation of kubectl. */
export interface RolloutStep {
  args: string[]
  /** The manifests to apply. */
  manifests?: readonly Manifest[]
}

/**
 * Returns the steps that roll out a version, each of which requires the previous one to succeed: prerequisites, databases,
 * services with their migrations, and the gateway last. The gateway therefore never forwards a request that a service does
 * not know yet. The old gateway works with the new services, because a release removes nothing that the previous one uses.
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
    // Jobs are immutable, so they are replaced. They are idempotent.
    ...jobs.map((each) => ({ args: ['delete', ...nameOf(each), '--ignore-not-found', '--wait'] })),
    ...(jobs.length > 0 ? [apply(jobs)] : []),
    ...jobs.map((each) => waitForCondition('Complete', each)),
    apply(services),
    ...services.filter(isDeployment).map(waitForRollout),
    apply(edge),
    ...edge.filter(isDeployment).map(waitForRollout),
  ]
}

function stageOf({ kind, metadata }: Manifest): number {
  if (kind === 'Job') return 1
  if (kind === 'Ingress') return 3
  // Their containers belong to the release of the services.
  if (kind === 'CronJob') return 2
  if (kind !== 'Deployment') return 0
  if (!isSigner(metadata.name)) throw new Error(`the rollout order of the Deployment ${metadata.name} is not defined`)
  return metadata.name === 'gateway' ? 3 : 2
}

const isDeployment = ({ kind }: Manifest) => kind === 'Deployment'

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
