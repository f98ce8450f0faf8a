import { createHash } from 'node:crypto'
import { isSigner } from '@wp/contracts'
import { namespaceOf } from './check/workloads.ts'
import type { Manifest } from './manifests/manifest.ts'

/** One invocation of kubectl. */
export interface RolloutStep {
  args: string[]
  /** The manifests to apply. */
  manifests?: readonly Manifest[]
  /** An invocation that runs at the same time: the step fails if it succeeds first. */
  failsWhen?: string[]
}

/**
 * Returns the steps that roll out a version, each of which requires the previous one to succeed: prerequisites,
 * databases, services with their migrations, and the gateway last. The gateway therefore never forwards a request that
 * a service does not know yet. The old gateway works with the new services, because a release removes nothing that the
 * previous one uses.
 */
export function rolloutSteps(manifests: readonly Manifest[]): RolloutStep[] {
  const stages = Map.groupBy(manifests, stageOf)
  const [prerequisites = [], unnamedJobs = [], services = [], edge = []] = [0, 1, 2, 3].map((stage) =>
    stages.get(stage),
  )
  const jobs = unnamedJobs.map(nameByContent)
  return [
    apply(prerequisites),
    ...prerequisites.filter(isExternalSecret).map((each) => waitForCondition('Ready', each)),
    ...prerequisites.filter(({ kind }) => kind === 'StatefulSet').map(waitForRollout),
    ...prerequisites.filter(isDatabaseCluster).map((each) => waitForCondition('Ready', each)),
    ...(jobs.length > 0 ? [apply(jobs)] : []),
    ...jobs.map(waitForJob),
    apply(services),
    ...services.filter(isDeployment).map(waitForRollout),
    apply(edge),
    ...edge.filter(isDeployment).map(waitForRollout),
  ]
}

const publicEntryKinds: ReadonlySet<string> = new Set(['Ingress', 'Gateway', 'HTTPRoute'])

function stageOf({ kind, metadata }: Manifest): number {
  if (kind === 'Job') return 1
  if (publicEntryKinds.has(kind)) return 3
  // Their containers belong to the release of the services.
  if (kind === 'CronJob') return 2
  if (kind !== 'Deployment') return 0
  if (!isSigner(metadata.name)) throw new Error(`the rollout order of the Deployment ${metadata.name} is not defined`)
  return metadata.name === 'gateway' ? 3 : 2
}

const isDeployment = ({ kind }: Manifest) => kind === 'Deployment'

const isExternalSecret = ({ kind }: Manifest) => kind === 'ExternalSecret'

const isDatabaseCluster = ({ apiVersion, kind }: Manifest) =>
  apiVersion.startsWith('postgresql.cnpg.io/') && kind === 'Cluster'

/**
 * Adds a hash of the job's content to its name. A job is immutable, so a changed one needs another name; an unchanged
 * one that has completed is not run again while it exists.
 */
function nameByContent(job: Manifest): Manifest {
  const hash = createHash('sha256').update(JSON.stringify(job.spec)).digest('hex').slice(0, 10)
  return { ...job, metadata: { ...job.metadata, name: `${job.metadata.name}-${hash}` } }
}

/**
 * Takes over the fields that `kubectl set image`, `kubectl rollout undo` and other managers have changed, so that a
 * rollout always ends with what the manifests say.
 */
const apply = (manifests: readonly Manifest[]): RolloutStep => ({
  args: ['apply', '--server-side', '--force-conflicts', '--field-manager=rollout', '-f', '-'],
  manifests,
})

/** Names the API group, because other groups may have the same kind: Cluster API also has clusters. */
function nameOf(manifest: Manifest): string[] {
  const { apiVersion, kind, metadata } = manifest
  const group = apiVersion.includes('/') ? `.${apiVersion.split('/', 1)[0]}` : ''
  return [`${kind.toLowerCase()}${group}/${metadata.name}`, `--namespace=${namespaceOf(manifest)}`]
}

const waitForRollout = (manifest: Manifest): RolloutStep => ({
  args: ['rollout', 'status', ...nameOf(manifest), '--timeout=10m'],
})

const waitForCondition = (condition: string, manifest: Manifest): RolloutStep => ({
  args: ['wait', `--for=condition=${condition}`, ...nameOf(manifest), '--timeout=15m'],
})

/** Waits until a job is complete, and fails as soon as it has failed. */
const waitForJob = (job: Manifest): RolloutStep => ({
  ...waitForCondition('Complete', job),
  failsWhen: waitForCondition('Failed', job).args,
})
