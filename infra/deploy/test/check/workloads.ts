import type { IPodSpec } from 'kubernetes-models/v1'
import type { Manifest } from './manifest.ts'

/** A manifest that creates pods. */
export interface Workload {
  manifest: Manifest
  namespace: string
  /** `Deployment auth` */
  title: string
  labels: Record<string, string>
  spec: IPodSpec
  /** False for jobs, also scheduled ones. */
  isLongRunning: boolean
}

interface Template {
  template: { metadata?: { labels?: Record<string, string> }; spec: IPodSpec }
}

const jobKinds: ReadonlySet<string> = new Set(['Job', 'CronJob'])
const kinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', ...jobKinds])

export const titleOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`

export const namespaceOf = ({ metadata }: Manifest): string => metadata.namespace ?? ''

/** Returns the workloads of validated manifests. */
export const workloadsOf = (manifests: readonly Manifest[]): Workload[] =>
  manifests
    .filter(({ kind }) => kinds.has(kind))
    .map((manifest) => {
      const { template } = templateOwnerOf(manifest)
      return {
        manifest,
        namespace: namespaceOf(manifest),
        title: titleOf(manifest),
        labels: template.metadata?.labels ?? {},
        spec: template.spec,
        isLongRunning: !jobKinds.has(manifest.kind),
      }
    })

/** The casts hold because every kind of `kinds` has a template, a CronJob in its job template. */
function templateOwnerOf({ kind, spec }: Manifest): Template {
  return kind === 'CronJob' ? (spec as { jobTemplate: { spec: Template } }).jobTemplate.spec : (spec as Template)
}

/** Returns the namespace and labels of all pods, including those that an operator creates. */
export const podLabelsOf = (
  manifests: readonly Manifest[],
): { namespace: string; labels: Record<string, string> }[] => [
  ...workloadsOf(manifests),
  ...manifests
    .filter(({ apiVersion, kind }) => apiVersion.startsWith('postgresql.cnpg.io/') && kind === 'Cluster')
    .map((cluster) => {
      const { inheritedMetadata } = cluster.spec as { inheritedMetadata?: { labels?: Record<string, string> } } // its schema says so
      return { namespace: namespaceOf(cluster), labels: inheritedMetadata?.labels ?? {} }
    }),
]

/** Returns all containers of a pod, including init containers. */
export const containersOf = ({ initContainers = [], containers }: IPodSpec) => [...initContainers, ...containers]

/** A label selector. */
export interface Selector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

/** Returns true if the labels match the selector. @throws Error for an operator other than `In` */
export function matches(
  { matchLabels = {}, matchExpressions = [] }: Selector = {},
  labels: Readonly<Record<string, string>>,
) {
  for (const { operator } of matchExpressions)
    if (operator !== 'In') throw new Error(`the selector operator ${operator} is not supported`)
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ''))
  )
}
