import { type SignerName, serviceNames, signerNames } from '@wp/contracts'
import { globalIpv6, specialIpv4, specialIpv6 } from '@wp/outbound'
import { brokerUsers, calleesOf, callersOf } from '../network-access.ts'
import { declarationOf } from '../processes.ts'
import { type Manifest, ports, selectorOf } from './manifest.ts'

/** A rule of a network policy: the peers and the ports. */
interface Rule {
  from?: unknown[]
  to?: unknown[]
  ports: { port: number; protocol: string }[]
}

export const tcpPorts = (...numbers: number[]) => numbers.map((number) => ({ port: number, protocol: 'TCP' }))

/** Selects the pods of these processes in the policy's own namespace. */
export const podPeers = (...names: readonly string[]) =>
  names.map((name) => ({ podSelector: { matchLabels: selectorOf(name) } }))

/** The DNS service, which has this label in clusters of kubeadm and of the cloud providers. */
export const dnsEgress: Rule = {
  to: [
    {
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } },
      podSelector: { matchLabels: { 'k8s-app': 'kube-dns' } },
    },
  ],
  ports: [
    { port: 53, protocol: 'UDP' },
    { port: 53, protocol: 'TCP' },
  ],
}

/** The connections of a process within its cell, to DNS and to the internet. */
export function networkPolicyOf(name: SignerName, metadata: Manifest['metadata']): Manifest {
  const { usesBroker, callsOutside } = declarationOf(name)
  const called = calleesOf(name)
  const callers = name === 'gateway' ? [] : callersOf(name)
  return createPolicy(
    metadata,
    { matchLabels: selectorOf(name) },
    {
      // The gateway accepts connections from anywhere.
      ingress:
        name === 'gateway'
          ? [{ ports: tcpPorts(ports.http) }]
          : [{ from: podPeers(...callers), ports: tcpPorts(ports.http) }],
      egress: [
        dnsEgress,
        ...(called.length > 0 ? [{ to: podPeers(...called), ports: tcpPorts(ports.http) }] : []),
        ...(usesBroker ? [{ to: podPeers('nats'), ports: tcpPorts(ports.nats) }] : []),
        ...(callsOutside ? [internetEgress] : []),
      ],
    },
  )
}

/**
 * Public addresses on any port, because users choose them. Excludes private networks, including that of the cluster.
 */
const internetEgress = {
  to: [
    { ipBlock: { cidr: '0.0.0.0/0', except: specialIpv4.map(({ cidr }) => cidr) } },
    { ipBlock: { cidr: globalIpv6, except: specialIpv6.map(({ cidr }) => cidr).filter(isGlobalUnicast) } },
  ],
  ports: [{ port: 1, endPort: 65_535, protocol: 'TCP' }],
}

/** Returns true for a range within 2000::/3, whose first hexadecimal digit is 2 or 3. */
function isGlobalUnicast(cidr: string): boolean {
  return /^[23][0-9a-f]{3}:/.test(cidr)
}

/** Denies every connection of every pod in the namespace that no other policy allows. */
export const defaultDeny: Manifest = createPolicy({ name: 'default-deny' }, {}, { ingress: [], egress: [] })

/** The policy of the provisioning job. */
export const provisionPolicy = (metadata: Manifest['metadata']): Manifest =>
  createPolicy(
    metadata,
    { matchLabels: selectorOf(metadata.name) },
    {
      ingress: [],
      egress: [dnsEgress],
    },
  )

/** The broker accepts its users, and its servers connect to each other. */
export const brokerPolicy: Manifest = createPolicy(
  { name: 'nats' },
  { matchLabels: selectorOf('nats') },
  {
    ingress: [
      { from: podPeers(...brokerUsers, 'prepare-broker'), ports: tcpPorts(ports.nats) },
      { from: podPeers('nats'), ports: tcpPorts(6222) },
    ],
    egress: [dnsEgress, { to: podPeers('nats'), ports: tcpPorts(6222) }],
  },
)

/**
 * Allows scraping of every service and of the broker, from a namespace labelled `workspace-platform/metrics: gatherer`.
 */
export const metricsPolicies = (): Manifest[] => {
  const from = [{ namespaceSelector: { matchLabels: { 'workspace-platform/metrics': 'gatherer' } } }]
  const named = (names: readonly string[]) => ({
    matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...names] }],
  })
  return [
    createPolicy({ name: 'metrics-services' }, named(serviceNames), {
      ingress: [{ from, ports: tcpPorts(ports.http) }],
    }),
    createPolicy({ name: 'metrics-nats' }, named(['nats']), { ingress: [{ from, ports: tcpPorts(8222) }] }),
  ]
}

/** Allows every process to send spans to a collector in a namespace labelled `workspace-platform/traces: collector`. */
export const tracesPolicy = (): Manifest =>
  createPolicy(
    { name: 'traces' },
    { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...signerNames] }] },
    {
      egress: [
        {
          to: [{ namespaceSelector: { matchLabels: { 'workspace-platform/traces': 'collector' } } }],
          ports: tcpPorts(ports.otlp),
        },
      ],
    },
  )

/** Allows scraping of the gateway's admin port. The gateway runs in the home cell only. */
export const edgeMetricsPolicy = (): Manifest =>
  createPolicy(
    { name: 'metrics-gateway' },
    { matchLabels: selectorOf('gateway') },
    {
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { 'workspace-platform/metrics': 'gatherer' } } }],
          ports: tcpPorts(ports.admin),
        },
      ],
    },
  )

/**
 * Creates a policy for both given directions; an empty list denies all connections of its direction. Empty lists are
 * left out of the manifest, because the API server does not store them and every comparison would report a difference.
 */
export function createPolicy(
  metadata: Manifest['metadata'],
  podSelector: { matchLabels?: Record<string, string>; matchExpressions?: unknown[] },
  { ingress, egress }: { ingress?: unknown[]; egress?: unknown[] },
): Manifest {
  const policyTypes = [...(ingress === undefined ? [] : ['Ingress']), ...(egress === undefined ? [] : ['Egress'])]
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata,
    spec: {
      podSelector,
      policyTypes,
      ...(ingress?.length ? { ingress } : {}),
      ...(egress?.length ? { egress } : {}),
    },
  }
}

/** Allows connections between the pods of `name` and pods in other namespaces, which `namespaceLabels` select. */
export function crossNamespacePolicy(
  metadata: Manifest['metadata'],
  name: SignerName | 'nats',
  namespaceLabels: Record<string, string>,
  { from = [], to = [] }: { from?: readonly string[]; to?: readonly string[] },
): Manifest {
  const peers = (others: readonly string[]) =>
    others.map((other) => ({
      namespaceSelector: { matchLabels: namespaceLabels },
      podSelector: { matchLabels: selectorOf(other) },
    }))
  const services = to.filter((other) => other !== 'nats')
  return createPolicy(
    metadata,
    { matchLabels: selectorOf(name) },
    {
      ...(from.length > 0
        ? { ingress: [{ from: peers(from), ports: tcpPorts(name === 'nats' ? ports.nats : ports.http) }] }
        : {}),
      ...(to.length > 0
        ? {
            egress: [
              ...(services.length > 0 ? [{ to: peers(services), ports: tcpPorts(ports.http) }] : []),
              ...(to.includes('nats') ? [{ to: peers(['nats']), ports: tcpPorts(ports.nats) }] : []),
            ],
          }
        : {}),
    },
  )
}
