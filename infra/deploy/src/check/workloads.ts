import type { IPodSpec } from 'kubernetes-models/v1'
import type { Manifest } from '../manifests/manifest.ts'

/** Something that makes pods, as its schema says it is. */
export interface Workload {
  manifest: Manifest
  namespace: string
  /** `Deployment auth` */
  title: string
  labels: Record<string, string>
  spec: IPodSpec
  /** Whether it runs until somebody stops it. */
  isLongRunning: boolean
}

interface Template {
  template: { metadata?: { labels?: Record<string, string> }; spec: IPodSpec }
}

const kinds: ReadonlySet<string> = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Job'])

export const titleOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`

export const namespaceOf = ({ metadata }: Manifest): string => metadata.namespace ?? ''

/** What makes pods of these manifests. They have been held against their schemas before. */
export const workloadsOf = (manifests: readonly Manifest[]): Workload[] =>
  manifests
    .filter(({ kind }) => kinds.has(kind))
    .map((manifest) => {
      const { template } = manifest.spec as Template // every kind of `kinds` has one
      return {
        manifest,
        namespace: namespaceOf(manifest),
        title: titleOf(manifest),
        labels: template.metadata?.labels ?? {},
        spec: template.spec,
        isLongRunning: manifest.kind !== 'Job',
      }
    })

/** Pods as others see them: those of workloads, and those that an operator makes. */
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

/** Every container of a pod, those that run before the others included. */
export const containersOf = ({ initContainers = [], containers }: IPodSpec) => [...initContainers, ...containers]

/** What pods or namespaces are selected by. */
export interface Selector {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

/** Whether labels are what a selector asks for. @throws Error of an operator that nobody uses here */
export function matches(
  { matchLabels = {}, matchExpressions = [] }: Selector = {},
  labels: Readonly<Record<string, string>>,
) {
  for (const { operator } of matchExpressions)
    if (operator !== 'In') throw new Error(`the operator ${operator} of a selector is not known here`)
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ''))
  )
}
