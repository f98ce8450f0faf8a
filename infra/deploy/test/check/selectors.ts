import type { Manifest } from './manifest.ts'
import { matches, namespaceOf, podLabelsOf, type Selector, titleOf, workloadsOf } from './workloads.ts'

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
}

type Check = (manifest: Manifest, manifests: readonly Manifest[]) => string[]

// The casts below state what the schema of each kind guarantees; manifests are validated before.

const checks: Readonly<Record<string, Check>> = {
  Service: serviceProblems,
  Deployment: ownPodProblems,
  StatefulSet: ownPodProblems,
  PodDisruptionBudget(manifest, manifests) {
    const { selector } = manifest.spec as { selector: Selector }
    return matchesOwnPods(selector, manifest, manifests) ? [] : matchesNothing(manifest, 'its selector')
  },
  HorizontalPodAutoscaler(manifest, manifests) {
    const { scaleTargetRef } = manifest.spec as { scaleTargetRef: { kind: string; name: string } }
    const { kind, name } = scaleTargetRef
    return exists(kind, name, manifest, manifests) ? [] : matchesNothing(manifest, 'its target')
  },
  Ingress(manifest, manifests) {
    const { rules = [] } = manifest.spec as {
      rules?: { http?: { paths: { backend: { service?: { name: string } } }[] } }[]
    }
    const names = rules.flatMap(({ http }) => (http?.paths ?? []).map(({ backend }) => backend.service?.name ?? ''))
    const haveServices = names.every((name) => exists('Service', name, manifest, manifests))
    return haveServices ? [] : matchesNothing(manifest, 'its backend')
  },
  NetworkPolicy: networkPolicyProblems,
}

/** Returns the selectors and named targets of a manifest that match nothing. */
export const selectorProblems: Check = (manifest, manifests) => checks[manifest.kind]?.(manifest, manifests) ?? []

function serviceProblems(manifest: Manifest, manifests: readonly Manifest[]): string[] {
  const { selector = {}, ports = [] } = manifest.spec as {
    selector?: Record<string, string>
    ports?: { targetPort?: unknown }[]
  }
  if (!matchesOwnPods({ matchLabels: selector }, manifest, manifests)) return matchesNothing(manifest, 'its selector')
  const containerPorts = workloadsOf(manifests)
    .filter(({ labels }) => matches({ matchLabels: selector }, labels))
    .flatMap(({ spec }) => spec.containers.flatMap(({ ports: own }) => own ?? []))
  return ports
    .filter(
      ({ targetPort: target }) => !containerPorts.some((own) => own.name === target || own.containerPort === target),
    )
    .map(({ targetPort }) => `${titleOf(manifest)}: no pod behind it has the port ${String(targetPort)}`)
}

/** A workload must select its own pods, and spread over them. */
function ownPodProblems(manifest: Manifest): string[] {
  const { selector, template } = manifest.spec as {
    selector: Selector
    template: { metadata?: { labels?: Record<string, string> } }
  }
  const { topologySpreadConstraints = [] } = workloadsOf([manifest])[0]?.spec ?? {}
  const selectors = [selector, ...topologySpreadConstraints.map(({ labelSelector }) => labelSelector as Selector)]
  const labels = template.metadata?.labels ?? {}
  return selectors.every((each) => matches(each, labels)) ? [] : matchesNothing(manifest, 'its selector')
}

function networkPolicyProblems(manifest: Manifest, manifests: readonly Manifest[]): string[] {
  const {
    podSelector,
    ingress = [],
    egress = [],
  } = manifest.spec as { podSelector: Selector; ingress?: { from?: Peer[] }[]; egress?: { to?: Peer[] }[] }
  const peers = [...ingress.flatMap(({ from = [] }) => from), ...egress.flatMap(({ to = [] }) => to)]
  return [
    ...(matchesOwnPods(podSelector, manifest, manifests) ? [] : matchesNothing(manifest, 'its selector')),
    ...peers
      .filter((peer) => !matchesPeer(peer, manifests))
      .flatMap((peer) => matchesNothing(manifest, `its peer ${JSON.stringify(peer)}`)),
  ]
}

/** Namespaces that no manifest creates, because they exist in every cluster or are a prerequisite. */
const externalNamespaces: ReadonlySet<string> = new Set(['kube-system', 'cnpg-system'])

/**
 * Returns true if a pod matches the peer. A peer without a namespace selector may be in any namespace, because policies
 * of every cell name global processes, which are in the home cell only.
 */
function matchesPeer({ podSelector, namespaceSelector }: Peer, manifests: readonly Manifest[]): boolean {
  if (externalNamespaces.has(namespaceSelector?.matchLabels?.['kubernetes.io/metadata.name'] ?? '')) return true
  const { 'workspace-platform/metrics': scraper, 'workspace-platform/traces': collector } =
    namespaceSelector?.matchLabels ?? {}
  if (scraper !== undefined || collector !== undefined) return true
  if (podSelector === undefined && namespaceSelector === undefined) return true
  const namespaces = manifests
    .filter(({ kind, metadata }) => kind === 'Namespace' && matches(namespaceSelector, metadata.labels ?? {}))
    .map(({ metadata }) => metadata.name)
  return podLabelsOf(manifests).some(
    ({ namespace, labels }) =>
      (namespaceSelector === undefined || namespaces.includes(namespace)) && matches(podSelector, labels),
  )
}

const matchesOwnPods = (selector: Selector, manifest: Manifest, manifests: readonly Manifest[]): boolean =>
  podLabelsOf(manifests).some(
    ({ namespace, labels }) => namespace === namespaceOf(manifest) && matches(selector, labels),
  )

const exists = (kind: string, name: string, { metadata }: Manifest, manifests: readonly Manifest[]): boolean =>
  manifests.some(
    (each) => each.kind === kind && each.metadata.name === name && namespaceOf(each) === (metadata.namespace ?? ''),
  )

const matchesNothing = (manifest: Manifest, part: string): string[] => [`${titleOf(manifest)}: ${part} matches nothing`]
