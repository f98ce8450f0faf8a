import type { Manifest } from '../manifests/manifest.ts'
import { containersOf, matches, namespaceOf, podLabelsOf, type Selector, titleOf, workloadsOf } from './workloads.ts'

/** Secrets and ConfigMaps that no manifest holds, and the keys of each: what the operator of an environment makes. */
export type ExternalObjects = ReadonlyMap<string, ReadonlySet<string>>

/** Everything that one object names and that is not there. */
export const referenceProblems = (manifests: readonly Manifest[], contract: ExternalObjects): string[] => [
  ...duplicateProblems(manifests),
  ...manifests.flatMap((manifest) => selectorProblems(manifest, manifests)),
  ...workloadsOf(manifests).flatMap(({ title, namespace, spec }) => {
    const holds = (kind: string, name = '', key?: string) => {
      const own = manifests.find(
        (each) => each.kind === kind && each.metadata.name === name && namespaceOf(each) === namespace,
      )
      const keys = own === undefined ? contract.get(`${kind}/${name}`) : new Set(Object.keys(own.data ?? {}))
      return keys !== undefined && (key === undefined || keys.has(key))
    }
    const asked = [
      ...containersOf(spec).flatMap(({ env = [], envFrom = [] }) => [
        ...env.flatMap(({ valueFrom }) => [
          { kind: 'ConfigMap', ...valueFrom?.configMapKeyRef },
          { kind: 'Secret', ...valueFrom?.secretKeyRef },
        ]),
        ...envFrom.flatMap(({ configMapRef, secretRef }) => [
          { kind: 'ConfigMap', ...configMapRef },
          { kind: 'Secret', ...secretRef },
        ]),
      ]),
      ...(spec.volumes ?? []).flatMap(({ configMap, secret }) => {
        const from = {
          kind: configMap === undefined ? 'Secret' : 'ConfigMap',
          name: configMap?.name ?? secret?.secretName,
        }
        const items = configMap?.items ?? secret?.items
        return items === undefined ? [from] : items.map(({ key }) => ({ ...from, key }))
      }),
      { kind: 'ServiceAccount', name: spec.serviceAccountName },
    ]
    return asked
      .filter(({ name }) => name !== undefined)
      .filter(({ kind, name, key }: Reference) => !holds(kind, name, key))
      .map(
        ({ kind, name, key }: Reference) =>
          `${title}: there is no ${kind} ${name}${key === undefined ? '' : `/${key}`}`,
      )
  }),
]

interface Reference {
  kind: string
  name?: string | undefined
  key?: string
}

function duplicateProblems(manifests: readonly Manifest[]): string[] {
  const known = Map.groupBy(manifests, (each) => `${titleOf(each)} in ${namespaceOf(each)}`)
  return [...known].filter(([, each]) => each.length > 1).map(([title]) => `${title}: is there twice`)
}

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
}

/** Of namespaces that no manifest here makes, those that are there in every cluster, or must be before. */
const externalNamespaces: ReadonlySet<string> = new Set(['kube-system', 'cnpg-system'])

function selectorProblems(manifest: Manifest, manifests: readonly Manifest[]): string[] {
  const { kind, spec } = manifest
  const pods = podLabelsOf(manifests)
  const own = pods.filter(({ namespace }) => namespace === namespaceOf(manifest))
  const named = (other: string, name: string) =>
    manifests.find(
      (each) => each.kind === other && each.metadata.name === name && namespaceOf(each) === namespaceOf(manifest),
    )
  const nothing = (what: string) => [`${titleOf(manifest)}: ${what} matches nothing`]
  if (kind === 'Service') {
    const { selector, ports = [] } = spec as { selector?: Record<string, string>; ports?: { targetPort?: unknown }[] } // its schema says so
    const behind = own.filter(({ labels }) => matches({ matchLabels: selector ?? {} }, labels))
    if (behind.length === 0) return nothing('its selector')
    const targets = workloadsOf(manifests)
      .filter((each) => behind.includes(each) || matches({ matchLabels: selector ?? {} }, each.labels))
      .flatMap((each) => each.spec.containers.flatMap((container) => container.ports ?? []))
    return ports
      .filter(
        ({ targetPort }) => !targets.some((port) => port.name === targetPort || port.containerPort === targetPort),
      )
      .map(({ targetPort }) => `${titleOf(manifest)}: nobody behind it has the port ${String(targetPort)}`)
  }
  if (kind === 'Deployment' || kind === 'StatefulSet') {
    const { selector, template } = spec as {
      selector: Selector
      template: { metadata?: { labels?: Record<string, string> } }
    } // its schema says so
    const { topologySpreadConstraints = [] } = workloadsOf([manifest])[0]?.spec ?? {}
    const selectors = [selector, ...topologySpreadConstraints.map(({ labelSelector }) => labelSelector as Selector)] // likewise
    return selectors.every((each) => matches(each, template.metadata?.labels ?? {})) ? [] : nothing('its selector')
  }
  if (kind === 'PodDisruptionBudget') {
    const { selector } = spec as { selector: Selector } // its schema says so
    return own.some(({ labels }) => matches(selector, labels)) ? [] : nothing('its selector')
  }
  if (kind === 'HorizontalPodAutoscaler') {
    const { scaleTargetRef } = spec as { scaleTargetRef: { kind: string; name: string } } // its schema says so
    return named(scaleTargetRef.kind, scaleTargetRef.name) === undefined ? nothing('its target') : []
  }
  if (kind === 'Ingress') {
    const { rules = [] } = spec as { rules?: { http?: { paths: { backend: { service?: { name: string } } }[] } }[] } // its schema says so
    const services = rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend.service?.name ?? ''))
    return services.every((name) => named('Service', name) !== undefined) ? [] : nothing('its backend')
  }
  if (kind !== 'NetworkPolicy') return []
  const {
    podSelector,
    ingress = [],
    egress = [],
  } = spec as {
    podSelector: Selector
    ingress?: { from?: Peer[] }[]
    egress?: { to?: Peer[] }[]
  } // its schema says so
  const peers = [...ingress.flatMap(({ from = [] }) => from), ...egress.flatMap(({ to = [] }) => to)]
  return [
    ...(own.some(({ labels }) => matches(podSelector, labels)) ? [] : nothing('its selector')),
    ...peers.filter((peer) => !matchesPods(peer)).flatMap((peer) => nothing(`its peer ${JSON.stringify(peer)}`)),
  ]

  /** A policy of every cell names processes that are at home alone: there they have to be. */
  function matchesPods({ podSelector: of, namespaceSelector: where }: Peer): boolean {
    if (externalNamespaces.has(where?.matchLabels?.['kubernetes.io/metadata.name'] ?? '')) return true
    if (where?.matchLabels?.['workspace-platform/metrics'] !== undefined) return true
    const spaces = manifests
      .filter((each) => each.kind === 'Namespace' && matches(where, each.metadata.labels ?? {}))
      .map(({ metadata }) => metadata.name)
    return (
      (of === undefined && where === undefined) ||
      pods.some(({ namespace, labels }) => (where === undefined || spaces.includes(namespace)) && matches(of, labels))
    )
  }
}
