import type { SignerName } from '@wp/contracts'

/** The metric that a process is scaled by. */
export type Scaling =
  /** Average CPU utilization of the replicas, in percent of the request. */
  | { on: 'cpu'; percent: number }
  /** Length of a queue: a gauge that every replica reports alike, and the queue length that one replica can handle. */
  | { on: 'queue'; metric: string; labels?: Readonly<Record<string, string>>; targetPerReplica: number }

/** The events that a process consumes for one purpose, as narrow as one filter subject of the broker can be. */
export interface EventSubscription {
  /** Set if all events come from one producer. */
  producer?: string
  kinds: readonly string[] | 'all'
}

/** Deployment properties of a process. */
export interface ProcessDeclaration {
  /** Offset from the base port in the local fleet. In a container every process listens on the same port. */
  localPortOffset: number
  /** The process has a database of its own. */
  hasDatabase: boolean
  /** The process encrypts secrets with a key of its own (KEK). */
  sealsSecrets: boolean
  /** The process connects to the broker. */
  usesBroker: boolean
  /** Events consumed, by purpose; the purpose is part of the consumer's name. */
  consumes: Readonly<Record<string, EventSubscription>>
  /** The process connects to addresses outside the platform. Calls between processes are the `callers` of contracts. */
  callsOutside: boolean
  /** The process polls the health of every service. */
  checksHealth?: boolean
  /** The process calls the public API, at the gateway. */
  callsGateway?: boolean
  scaling: Scaling
  /** The replicas that the autoscaler may start. */
  maxReplicas: number
  /** The database connections of one replica: the sizes of its pools, and those added for each other cell. */
  connections?: { own: number; perOtherCell?: number }
  /** Processor request of one replica, in thousandths of a core; docs/deploy.md has the measurements. */
  cpuRequest: number
  /** Memory of one replica, in MiB. */
  memory: { request: number; limit: number }
}

/** Properties that most processes share: a database, the broker, and replicas by their CPU. */
const typical = {
  hasDatabase: true,
  usesBroker: true,
  consumes: {},
  scaling: { on: 'cpu', percent: 70 },
  maxReplicas: 6,
  connections: { own: 9 },
  cpuRequest: 250,
} as const satisfies Partial<ProcessDeclaration>

/**
 * The processes that operators run. Kubernetes manifests, broker permissions and the ports of the local fleet are
 * derived from this list; tests compare it with the code and with docker-compose.yml.
 */
export const processes = {
  /** The edge. Its local port is that of the admin listener; the public port is set separately. */
  gateway: {
    localPortOffset: 0,
    hasDatabase: false,
    sealsSecrets: false,
    usesBroker: true,
    consumes: {},
    callsOutside: false,
    scaling: { on: 'cpu', percent: 60 },
    maxReplicas: 10,
    cpuRequest: 500,
    memory: { request: 256, limit: 512 },
  },
  auth: {
    ...typical,
    localPortOffset: 1,
    sealsSecrets: true,
    consumes: { 'deletion-reports': { kinds: ['WORKSPACE_DATA_DELETED'] } },
    callsOutside: true,
    connections: { own: 15, perOtherCell: 1 },
    memory: { request: 288, limit: 512 },
  },
  system: {
    ...typical,
    localPortOffset: 2,
    sealsSecrets: true,
    callsOutside: false,
    checksHealth: true,
    connections: { own: 9, perOtherCell: 1 },
    memory: { request: 192, limit: 384 },
  },
  data: {
    ...typical,
    localPortOffset: 3,
    sealsSecrets: true,
    consumes: { embedding: { producer: 'integrations', kinds: ['INTEGRATION_CONNECTED', 'INTEGRATION_FAILED'] } },
    callsOutside: true,
    scaling: { on: 'queue', metric: 'jobs_waiting', labels: { queue: 'sync' }, targetPerReplica: 10 },
    cpuRequest: 500,
    // With a process of up to 160 MiB for each running sync of a PostgreSQL source.
    memory: { request: 512, limit: 2048 },
  },
  integrations: {
    ...typical,
    localPortOffset: 4,
    sealsSecrets: true,
    callsOutside: true,
    memory: { request: 288, limit: 640 },
  },
  'webhook-delivery': {
    ...typical,
    localPortOffset: 6,
    sealsSecrets: true,
    consumes: { deliveries: { kinds: 'all' } },
    callsOutside: true,
    scaling: { on: 'queue', metric: 'webhook_deliveries_due', targetPerReplica: 5_000 },
    connections: { own: 18 },
    cpuRequest: 500,
    memory: { request: 320, limit: 512 },
  },
  solutions: {
    ...typical,
    localPortOffset: 7,
    sealsSecrets: false,
    consumes: { 'row-feeds': { producer: 'data', kinds: ['ROW_FEED_CHANGED'] } },
    callsOutside: false,
    scaling: { on: 'queue', metric: 'jobs_waiting', labels: { queue: 'forecast' }, targetPerReplica: 5 },
    cpuRequest: 500,
    // Four runs at once, of up to 750 MiB each, their threads included.
    memory: { request: 512, limit: 3584 },
  },
  audit: {
    ...typical,
    localPortOffset: 8,
    sealsSecrets: false,
    consumes: { log: { kinds: ['AUDIT_RECORDED'] } },
    callsOutside: false,
    scaling: { on: 'queue', metric: 'events_pending', labels: { consumer: 'audit_log' }, targetPerReplica: 5_000 },
    connections: { own: 11 },
    memory: { request: 256, limit: 384 },
  },
  ai: {
    ...typical,
    localPortOffset: 9,
    sealsSecrets: false,
    consumes: { triggers: { kinds: 'all' } },
    callsOutside: true,
    scaling: { on: 'queue', metric: 'jobs_waiting', labels: { queue: 'agent_run' }, targetPerReplica: 20 },
    memory: { request: 288, limit: 768 },
  },
  mcp: {
    localPortOffset: 10,
    hasDatabase: false,
    sealsSecrets: false,
    usesBroker: false,
    consumes: {},
    callsOutside: false,
    scaling: { on: 'cpu', percent: 70 },
    maxReplicas: 6,
    cpuRequest: 250,
    memory: { request: 192, limit: 384 },
  },
  billing: {
    ...typical,
    localPortOffset: 11,
    sealsSecrets: false,
    consumes: { usage: { kinds: ['USAGE_RECORDED'] } },
    callsOutside: true,
    connections: { own: 10, perOtherCell: 2 },
    memory: { request: 320, limit: 512 },
  },
  notifications: {
    ...typical,
    localPortOffset: 12,
    sealsSecrets: true,
    consumes: { feed: { kinds: 'all' } },
    callsOutside: true,
    memory: { request: 352, limit: 512 },
  },
  console: {
    ...typical,
    localPortOffset: 13,
    sealsSecrets: true,
    usesBroker: false,
    callsOutside: false,
    callsGateway: true,
    memory: { request: 192, limit: 384 },
  },
} as const satisfies Readonly<Record<SignerName, ProcessDeclaration>>

/** Returns the deployment properties of a process. */
export const declarationOf = (name: SignerName): ProcessDeclaration => processes[name]

/**
 * Returns the heap limit of a process, in MiB. The rest of its memory is for what is outside the heap, mainly buffers.
 */
export const heapLimitOf = (name: SignerName): number => Math.round(declarationOf(name).memory.limit * 0.6)
