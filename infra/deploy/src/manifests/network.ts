import { processOf, type SignerName, serviceNames } from '@wp/contracts'
import { globalIpv6, specialIpv4, specialIpv6 } from '@wp/outbound'
import { brokerUsers, calledBy, callersOf, keepers } from '../reach.ts'
import { type Manifest, port, selectorOf } from './manifest.ts'

/** One way in or out: with whom, and by which ports. */
interface Rule {
  from?: unknown[]
  to?: unknown[]
  ports: { port: number; protocol: string }[]
}

const tcp = (...numbers: number[]) => numbers.map((number) => ({ port: number, protocol: 'TCP' }))

export const pods = (...names: readonly string[]) =>
  names.map((name) => ({ podSelector: { matchLabels: selectorOf(name) } }))

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
const databaseUsers = [...keepers, 'provision-cell', 'provision-home']

/** Who comes to a process, and where it goes, within its own cell. */
export function networkPolicyOf(name: SignerName, metadata: Manifest['metadata']): Manifest {
  const { broker, outside } = processOf(name)
  const called = calledBy(name)
  const callers = name === 'gateway' ? [] : callersOf(name)
  return policy(
    metadata,
    { matchLabels: selectorOf(name) },
    {
      // The edge is there for everybody.
      ingress: name === 'gateway' ? [{ ports: tcp(port.http) }] : [{ from: pods(...callers), ports: tcp(port.http) }],
      egress: [
        names,
        ...(called.length > 0 ? [{ to: pods(...called), ports: tcp(port.http) }] : []),
        ...(broker ? [{ to: pods('nats'), ports: tcp(port.nats) }] : []),
        ...(outside ? [internet] : []),
      ],
    },
  )
}

/** The internet, at any port, as users name them; nothing that is somebody's own network, this cluster's above all. */
const internet = {
  to: [
    { ipBlock: { cidr: '0.0.0.0/0', except: specialIpv4.map(({ cidr }) => cidr) } },
    { ipBlock: { cidr: globalIpv6, except: specialIpv6.map(({ cidr }) => cidr).filter(isGlobal) } },
  ],
  ports: [{ port: 1, endPort: 65_535, protocol: 'TCP' }],
}

/** Within 2000::/3: the first hexadecimal digit of four is 2 or 3. */
function isGlobal(cidr: string): boolean {
  return /^[23][0-9a-f]{3}:/.test(cidr)
}

/** What nobody allowed is refused, for every pod of the namespace. */
export const defaultDeny: Manifest = policy({ name: 'default-deny' }, {}, { ingress: [], egress: [] })

/** Whoever makes roles and databases. */
export const provisionPolicy = (metadata: Manifest['metadata']): Manifest =>
  policy(
    metadata,
    { matchLabels: selectorOf(metadata.name) },
    {
      ingress: [],
      egress: [names],
    },
  )

/** The broker: its users, and its own servers among each other. */
export const brokerPolicy: Manifest = policy(
  { name: 'nats' },
  { matchLabels: selectorOf('nats') },
  {
    ingress: [
      { from: pods(...brokerUsers), ports: tcp(port.nats) },
      { from: pods('nats'), ports: tcp(6222) },
    ],
    egress: [names, { to: pods('nats'), ports: tcp(6222) }],
  },
)

/** The database server of a cell, as those see it who have a database there. */
const databasePolicy: Manifest = policy(
  { name: 'postgres' },
  { matchLabels: databaseServer },
  {
    ingress: [{ from: pods(...databaseUsers), ports: tcp(port.postgres) }],
    egress: [names],
  },
)

/** Who keeps something, wherever the server is: a way out to pods, or to the address that whoever runs it fills in. */
const databaseClients = (peer: unknown): Manifest =>
  policy(
    { name: 'database-clients' },
    {
      matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...databaseUsers] }],
    },
    { egress: [{ to: [peer], ports: tcp(port.postgres) }] },
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
    policy({ name: 'metrics-services' }, named(serviceNames), { ingress: [{ from, ports: tcp(port.http) }] }),
    policy({ name: 'metrics-nats' }, named(['nats']), { ingress: [{ from, ports: tcp(8222) }] }),
  ]
}

/** The edge's figures are on its admin side; it is at home alone. */
export const edgeMetricsPolicy = (): Manifest =>
  policy(
    { name: 'metrics-gateway' },
    { matchLabels: selectorOf('gateway') },
    {
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { 'workspace-platform/metrics': 'gatherer' } } }],
          ports: tcp(port.admin),
        },
      ],
    },
  )

export function policy(
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
export function between(
  metadata: Manifest['metadata'],
  name: SignerName | 'nats',
  there: Record<string, string>,
  { from = [], to = [] }: { from?: readonly string[]; to?: readonly string[] },
): Manifest {
  const peers = (others: readonly string[]) =>
    others.map((other) => ({
      namespaceSelector: { matchLabels: there },
      podSelector: { matchLabels: selectorOf(other) },
    }))
  const services = to.filter((other) => other !== 'nats')
  return policy(
    metadata,
    { matchLabels: selectorOf(name) },
    {
      ...(from.length > 0
        ? { ingress: [{ from: peers(from), ports: tcp(name === 'nats' ? port.nats : port.http) }] }
        : {}),
      ...(to.length > 0
        ? {
            egress: [
              ...(services.length > 0 ? [{ to: peers(services), ports: tcp(port.http) }] : []),
              ...(to.includes('nats') ? [{ to: peers(['nats']), ports: tcp(port.nats) }] : []),
            ],
          }
        : {}),
    },
  )
}
