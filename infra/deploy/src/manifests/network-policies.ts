import { type SignerName, serviceNames } from '@wp/contracts'
import { globalIpv6, specialIpv4, specialIpv6 } from '@wp/outbound'
import { brokerUsers, calleesOf, callersOf, databaseUsers } from '../network-access.ts'
import { declarationOf } from '../processes.ts'
import { type Manifest, ports, selectorOf } from './manifest.ts'

/** One way in or out: with whom, and by which ports. */
interface Rule {
  from?: unknown[]
  to?: unknown[]
  ports: { port: number; protocol: string }[]
}

const tcpPorts = (...numbers: number[]) => numbers.map((number) => ({ port: number, protocol: 'TCP' }))

export const podPeers = (...dnsEgress: readonly string[]) =>
  dnsEgress.map((name) => ({ podSelector: { matchLabels: selectorOf(name) } }))

/** What serves names, in every cluster that kubeadm or a cloud makes. */
const names: Rule = {
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

/** The pods of whatever serves databases in a cell carry this label; an operator gives names of its own. */
const databaseServer = { 'workspace-platform/role': 'database' }
const databaseClientNames = [...databaseUsers, 'provision-cell', 'provision-home']

/** Who comes to a process, and where it goes, within its own cell. */
export function networkPolicyOf(name: SignerName, metadata: Manifest['metadata']): Manifest {
  const { usesBroker, callsOutside } = declarationOf(name)
  const called = calleesOf(name)
  const callers = name === 'gateway' ? [] : callersOf(name)
  return createPolicy(
    metadata,
    { matchLabels: selectorOf(name) },
    {
      // The edge is there for everybody.
      ingress:
        name === 'gateway'
          ? [{ ports: tcpPorts(ports.http) }]
          : [{ from: podPeers(...callers), ports: tcpPorts(ports.http) }],
      egress: [
        names,
        ...(called.length > 0 ? [{ to: podPeers(...called), ports: tcpPorts(ports.http) }] : []),
        ...(usesBroker ? [{ to: podPeers('nats'), ports: tcpPorts(ports.nats) }] : []),
        ...(callsOutside ? [internetEgress] : []),
      ],
    },
  )
}

/** The internet, at any port, as users name them; nothing that is somebody's own network, this cluster's above all. */
const internetEgress = {
  to: [
    { ipBlock: { cidr: '0.0.0.0/0', except: specialIpv4.map(({ cidr }) => cidr) } },
    { ipBlock: { cidr: globalIpv6, except: specialIpv6.map(({ cidr }) => cidr).filter(isGlobalUnicast) } },
  ],
  ports: [{ port: 1, endPort: 65_535, protocol: 'TCP' }],
}

/** Within 2000::/3: the first hexadecimal digit of four is 2 or 3. */
function isGlobalUnicast(cidr: string): boolean {
  return /^[23][0-9a-f]{3}:/.test(cidr)
}

/** What nobody allowed is refused, for every pod of the namespace. */
export const defaultDeny: Manifest = createPolicy({ name: 'default-deny' }, {}, { ingress: [], egress: [] })

/** Whoever makes roles and databases. */
export const provisionPolicy = (metadata: Manifest['metadata']): Manifest =>
  createPolicy(
    metadata,
    { matchLabels: selectorOf(metadata.name) },
    {
      ingress: [],
      egress: [names],
    },
  )

/** The broker: its users, and its own servers among each other. */
export const brokerPolicy: Manifest = createPolicy(
  { name: 'nats' },
  { matchLabels: selectorOf('nats') },
  {
    ingress: [
      { from: podPeers(...brokerUsers), ports: tcpPorts(ports.nats) },
      { from: podPeers('nats'), ports: tcpPorts(6222) },
    ],
    egress: [names, { to: podPeers('nats'), ports: tcpPorts(6222) }],
  },
)

/** The database server of a cell, as those see it who have a database there. */
const databasePolicy: Manifest = createPolicy(
  { name: 'postgres' },
  { matchLabels: databaseServer },
  {
    ingress: [{ from: podPeers(...databaseClientNames), ports: tcpPorts(ports.postgres) }],
    egress: [names],
  },
)

/** Who keeps something, wherever the server is: a way out to pods, or to the address that whoever runs it fills in. */
const databaseClients = (peer: unknown): Manifest =>
  createPolicy(
    { name: 'database-clients' },
    {
      matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...databaseClientNames] }],
    },
    { egress: [{ to: [peer], ports: tcpPorts(ports.postgres) }] },
  )

/** The server as pods of the cell, and where somebody else runs it. */
export const databasePolicies = (): Manifest[] => [
  databasePolicy,
  databaseClients({ podSelector: { matchLabels: databaseServer } }),
]
export const externalDatabasePolicies = (): Manifest[] => [databaseClients({ ipBlock: { cidr: '192.0.2.1/32' } })]

/** Whoever gathers figures, from a namespace that is labelled so: of every process, and of the broker. */
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

/** The edge's figures are on its admin side; it is at home alone. */
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
    spec: { podSelector, policyTypes, ...(ingress && { ingress }), ...(egress && { egress }) },
  }
}

/** The ways between namespaces: `here` says whose pods the policy is for, `there` which namespaces are meant. */
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
