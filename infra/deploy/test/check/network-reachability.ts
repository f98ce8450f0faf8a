import type { Manifest } from './manifest.ts'
import { matches, namespaceOf, podLabelsOf, type Selector } from './workloads.ts'

interface Peer {
  podSelector?: Selector
  namespaceSelector?: Selector
  ipBlock?: unknown
}
interface Rule {
  from?: Peer[]
  to?: Peer[]
  ports?: { port?: number; endPort?: number; protocol?: string }[]
}
interface Policy {
  namespace: string
  podSelector: Selector
  policyTypes: string[]
  ingress?: Rule[]
  egress?: Rule[]
}

/** The namespace and the labels of a pod. */
export interface PodLocation {
  namespace: string
  labels: Record<string, string>
}

/** Returns true if the policies of both pods allow a TCP connection, as Kubernetes evaluates them. */
export function canReach(manifests: readonly Manifest[], from: PodLocation, to: PodLocation, port: number): boolean {
  const policies = readPolicies(manifests)
  const labelsOfNamespace = (name: string) => ({
    'kubernetes.io/metadata.name': name,
    ...manifests.find(({ kind, metadata }) => kind === 'Namespace' && metadata.name === name)?.metadata.labels,
  })
  const isMeant = ({ podSelector, namespaceSelector, ipBlock }: Peer, other: PodLocation, policy: Policy) =>
    ipBlock === undefined &&
    (namespaceSelector === undefined
      ? other.namespace === policy.namespace
      : matches(namespaceSelector, labelsOfNamespace(other.namespace))) &&
    matches(podSelector, other.labels)
  const allows = (side: 'ingress' | 'egress', self: PodLocation, other: PodLocation) => {
    const about = policies.filter(
      ({ namespace, podSelector, policyTypes }) =>
        namespace === self.namespace &&
        matches(podSelector, self.labels) &&
        policyTypes.includes(side === 'ingress' ? 'Ingress' : 'Egress'),
    )
    if (about.length === 0) return true
    return about.some((policy) =>
      (policy[side] ?? []).some((rule) => {
        const peers = side === 'ingress' ? rule.from : rule.to
        return (
          (rule.ports === undefined ||
            rule.ports.some(
              (each) =>
                each.protocol === 'TCP' && port >= (each.port ?? 0) && port <= (each.endPort ?? each.port ?? 65_535),
            )) &&
          (peers === undefined || peers.some((peer) => isMeant(peer, other, policy)))
        )
      }),
    )
  }
  return allows('egress', from, to) && allows('ingress', to, from)
}

/** Reports pods without a default-deny policy, or without a policy of their own for both ingress and egress. */
export function missingPolicyProblems(manifests: readonly Manifest[]): string[] {
  const policies = readPolicies(manifests)
  return podLabelsOf(manifests).flatMap(({ namespace, labels }) => {
    const about = policies.filter((policy) => policy.namespace === namespace && matches(policy.podSelector, labels))
    const denied = about.some(
      ({ podSelector, policyTypes, ingress = [], egress = [] }) =>
        Object.keys(podSelector).length === 0 && policyTypes.length === 2 && ingress.length + egress.length === 0,
    )
    const own = about.some(
      ({ podSelector, policyTypes }) => Object.keys(podSelector).length > 0 && policyTypes.length === 2,
    )
    return denied && own ? [] : [`the pods ${JSON.stringify(labels)} in ${namespace} have no network policy`]
  })
}

const readPolicies = (manifests: readonly Manifest[]): Policy[] =>
  manifests
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map((manifest) => ({ ...(manifest.spec as Omit<Policy, 'namespace'>), namespace: namespaceOf(manifest) })) // its schema says so
