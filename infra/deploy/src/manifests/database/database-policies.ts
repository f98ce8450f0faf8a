import { databaseUsers } from '../../network-access.ts'
import { type Manifest, ports } from '../manifest.ts'
import { createPolicy, dnsEgress, podPeers, tcpPorts } from '../network-policies.ts'

/** The label of the pods of a database server; an operator chooses their other labels. */
const databaseServer = { 'workspace-platform/role': 'database' }
const clientNames = [...databaseUsers, 'provision-cell', 'provision-home', 'backup', 'audit-retention']

/** The database server of a cell accepts connections from the processes that have a database. */
const serverPolicy: Manifest = createPolicy(
  { name: 'postgres' },
  { matchLabels: databaseServer },
  { ingress: [{ from: podPeers(...clientNames), ports: tcpPorts(ports.postgres) }], egress: [dnsEgress] },
)

/** The processes that have a database may connect to the server, which is a pod or an external address. */
const clientPolicy = (peer: unknown): Manifest =>
  createPolicy(
    { name: 'database-clients' },
    { matchExpressions: [{ key: 'app.kubernetes.io/name', operator: 'In', values: [...clientNames] }] },
    { egress: [{ to: [peer], ports: tcpPorts(ports.postgres) }] },
  )

/** The policies for a database server that runs in the cell. */
export const databasePolicies = (): Manifest[] => [
  serverPolicy,
  clientPolicy({ podSelector: { matchLabels: databaseServer } }),
]

/** The policy for an external database server; an overlay replaces the address. */
export const externalDatabasePolicies = (): Manifest[] => [clientPolicy({ ipBlock: { cidr: '192.0.2.1/32' } })]
