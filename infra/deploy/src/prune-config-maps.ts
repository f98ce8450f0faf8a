import { namespaceOf } from './check/workloads.ts'
import { readKubectl } from './kubectl.ts'
import type { Manifest } from './manifests/manifest.ts'

/** The label by which a rollout finds the ConfigMaps of earlier rollouts. */
const managedBy = { 'app.kubernetes.io/managed-by': 'k8s-rollout' }

/** The kinds whose pods may read a ConfigMap, with the earlier versions to which `kubectl rollout undo` returns. */
const userKinds = 'deployments,statefulsets,cronjobs,jobs,pods,replicasets.apps,controllerrevisions.apps'

/**
 * Labels the ConfigMaps. Their names end with a hash of their content, so each change leaves the previous one behind.
 */
export const labelConfigMaps = (manifests: readonly Manifest[]): Manifest[] =>
  manifests.map((manifest) =>
    manifest.kind === 'ConfigMap'
      ? { ...manifest, metadata: { ...manifest.metadata, labels: { ...manifest.metadata.labels, ...managedBy } } }
      : manifest,
  )

/** Deletes the ConfigMaps of earlier rollouts that nothing uses. Returns their names, `namespace/name`. */
export async function pruneConfigMaps(manifests: readonly Manifest[]): Promise<string[]> {
  const current = manifests.filter(({ kind }) => kind === 'ConfigMap')
  const pruned: string[] = []
  for (const namespace of new Set(current.map(namespaceOf))) {
    const [label] = Object.entries(managedBy).map((entry) => entry.join('='))
    const list = ['get', 'configmaps', `--namespace=${namespace}`, `--selector=${label}`, '--output=name']
    const existing = (await readKubectl(list)).split('\n').map((line) => line.replace(/^configmap\//, ''))
    const users = await readKubectl(['get', userKinds, `--namespace=${namespace}`, '--output=json'])
    const kept = new Set(current.filter((each) => namespaceOf(each) === namespace).map(({ metadata }) => metadata.name))
    const unused = findUnused(existing, kept, users)
    if (unused.length > 0) await readKubectl(['delete', 'configmap', ...unused, `--namespace=${namespace}`])
    pruned.push(...unused.map((name) => `${namespace}/${name}`))
  }
  return pruned
}

/** Returns the names that are neither kept nor the value of a field in the JSON of the users. */
export const findUnused = (existing: readonly string[], kept: ReadonlySet<string>, users: string): string[] =>
  existing.filter((name) => name !== '' && !kept.has(name) && !users.includes(`"${name}"`))
