import type { Manifest } from './manifest.ts'
import { selectorProblems } from './selectors.ts'
import { containersOf, namespaceOf, titleOf, type Workload, workloadsOf } from './workloads.ts'

/** The keys of Secrets and ConfigMaps that the operator creates outside the manifests, by `kind/name`. */
export type ExternalObjects = ReadonlyMap<string, ReadonlySet<string>>

/** Returns the references to objects that do not exist, the selectors that match nothing, and the duplicate objects. */
export const referenceProblems = (manifests: readonly Manifest[], external: ExternalObjects): string[] => [
  ...duplicateProblems(manifests),
  ...manifests.flatMap((manifest) => selectorProblems(manifest, manifests)),
  ...workloadsOf(manifests).flatMap((workload) => missingObjectProblems(workload, manifests, external)),
  ...workloadsOf(manifests).flatMap((workload) => priorityClassProblems(workload, manifests)),
]

interface Reference {
  kind: string
  name?: string | undefined
  key?: string
}

function missingObjectProblems(
  workload: Workload,
  manifests: readonly Manifest[],
  external: ExternalObjects,
): string[] {
  const exists = ({ kind, name, key }: Reference) => {
    const manifest = manifests.find(
      (each) => each.kind === kind && each.metadata.name === name && namespaceOf(each) === workload.namespace,
    )
    const keys = manifest === undefined ? external.get(`${kind}/${name}`) : new Set(Object.keys(manifest.data ?? {}))
    return keys !== undefined && (key === undefined || keys.has(key))
  }
  return referencesOf(workload)
    .filter(({ name }) => name !== undefined)
    .filter((reference) => !exists(reference))
    .map(({ kind, name, key }) => `${workload.title}: there is no ${kind} ${name}${key === undefined ? '' : `/${key}`}`)
}

/** Priority classes are cluster-wide. */
function priorityClassProblems({ title, spec }: Workload, manifests: readonly Manifest[]): string[] {
  const name = spec.priorityClassName
  const exists = manifests.some(({ kind, metadata }) => kind === 'PriorityClass' && metadata.name === name)
  return name === undefined || exists ? [] : [`${title}: there is no PriorityClass ${name}`]
}

/** Returns the Secrets, ConfigMaps, volume claims and the ServiceAccount that a pod refers to. */
function referencesOf({ spec }: Workload): Reference[] {
  const variables = containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
    ...env.flatMap(({ valueFrom }) => [
      { kind: 'ConfigMap', ...valueFrom?.configMapKeyRef },
      { kind: 'Secret', ...valueFrom?.secretKeyRef },
    ]),
    ...envFrom.flatMap(({ configMapRef, secretRef }) => [
      { kind: 'ConfigMap', ...configMapRef },
      { kind: 'Secret', ...secretRef },
    ]),
  ])
  const volumes = (spec.volumes ?? []).flatMap(({ configMap, secret }): Reference[] => {
    const kind = configMap === undefined ? 'Secret' : 'ConfigMap'
    const source = { kind, name: configMap?.name ?? secret?.secretName }
    const items = configMap?.items ?? secret?.items
    return items === undefined ? [source] : items.map(({ key }) => ({ ...source, key }))
  })
  const claims = (spec.volumes ?? []).map(({ persistentVolumeClaim: claim }) => ({
    kind: 'PersistentVolumeClaim',
    name: claim?.claimName,
  }))
  return [...variables, ...volumes, ...claims, { kind: 'ServiceAccount', name: spec.serviceAccountName }]
}

function duplicateProblems(manifests: readonly Manifest[]): string[] {
  const groups = Map.groupBy(manifests, (each) => `${titleOf(each)} in ${namespaceOf(each)}`)
  return [...groups].filter(([, group]) => group.length > 1).map(([title]) => `${title}: exists twice`)
}
