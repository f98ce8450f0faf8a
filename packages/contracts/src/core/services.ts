/** When a service needs more replicas. */
export type Scaling =
  /** Its requests keep the processors busy. */
  | { on: 'cpu'; percent: number }
  /** More waits than its replicas get done: a gauge that every replica reports alike, and what one of them copes with. */
  | { on: 'queue'; metric: string; labels?: Readonly<Record<string, string>>; targetPerReplica: number }

/** Events that a service hears for one purpose, as narrowly as the broker can tell them apart. */
export interface EventSubscription {
  /** Where all of them come from one. */
  producer?: string
  kinds: readonly string[] | 'all'
}

/** What whoever runs a process has to know of it. */
export interface ProcessDeclaration {
  /** What it is for, in a sentence. */
  purpose: string
  /** Whether it serves all shards from one place. */
  isGlobal: boolean
  /** Which port after the base it has in a local fleet; in a container, which is a place of its own, all have the same. */
  port: number
  /** Whether it keeps something, in a database of its own. */
  hasDatabase: boolean
  /** Whether it seals secrets, under a key of its own. */
  sealsSecrets: boolean
  /** Whether it is on the broker. */
  usesBroker: boolean
  /** Purposes for which it hears events. */
  consumes: Readonly<Record<string, EventSubscription>>
  /** Whether it goes to addresses outside of the platform. Every other way is the `callers` of contracts. */
  callsOutside: boolean
  /** Whether it asks all others how they are. */
  checksHealth?: boolean
  scaling: Scaling
  /** What one replica is given, in MiB, and what it must never need more than. */
  memory: { request: number; limit: number }
}

/** The edge. Its port is that of its admin side; what it serves has the public one. */
export const edge = {
  purpose: 'Says who is calling, what they may and how much, and forwards it',
  isGlobal: true,
  port: 0,
  hasDatabase: false,
  sealsSecrets: false,
  usesBroker: true,
  consumes: {},
  callsOutside: false,
  scaling: { on: 'cpu', percent: 60 },
  memory: { request: 256, limit: 512 },
} as const satisfies ProcessDeclaration

/** The services of the fleet. Local fleet, containers, Kubernetes and the broker's permissions follow from this list. */
export const services = {
  auth: {
    purpose: 'Tokens, API keys, service principals, and who may do what',
    isGlobal: true,
    port: 1,
    hasDatabase: true,
    sealsSecrets: true,
    usesBroker: true,
    consumes: {},
    callsOutside: true,
    scaling: { on: 'cpu', percent: 70 },
    memory: { request: 256, limit: 512 },
  },
  system: {
    purpose: 'Health of the fleet, workspaces and their variables',
    isGlobal: true,
    port: 2,
    hasDatabase: true,
    sealsSecrets: true,
    usesBroker: true,
    consumes: {},
    callsOutside: false,
    checksHealth: true,
    scaling: { on: 'cpu', percent: 70 },
    memory: { request: 192, limit: 384 },
  },
  data: {
    purpose: 'Data sources, syncs and records',
    isGlobal: false,
    port: 3,
    hasDatabase: true,
    sealsSecrets: false,
    usesBroker: true,
    consumes: { embedding: { producer: 'integrations', kinds: ['INTEGRATION_CONNECTED', 'INTEGRATION_FAILED'] } },
    callsOutside: true,
    scaling: { on: 'queue', metric: 'jobs_waiting', labels: { queue: 'sync' }, targetPerReplica: 10 },
    memory: { request: 512, limit: 1024 },
  },
  integrations: {
    purpose: 'What workspaces connect to, and the secrets for it',
    isGlobal: false,
    port: 4,
    hasDatabase: true,
    sealsSecrets: true,
    usesBroker: true,
    consumes: {},
    callsOutside: true,
    scaling: { on: 'cpu', percent: 70 },
    memory: { request: 192, limit: 384 },
  },
  'webhook-delivery': {
    purpose: 'Keeps subscriptions and delivers events to them',
    isGlobal: false,
    port: 6,
    hasDatabase: true,
    sealsSecrets: true,
    usesBroker: true,
    consumes: { deliveries: { kinds: 'all' } },
    callsOutside: true,
    scaling: { on: 'queue', metric: 'webhook_deliveries_due', targetPerReplica: 5_000 },
    memory: { request: 256, limit: 512 },
  },
  solutions: {
    purpose: 'Packaged workflows: workplace forecasting and what follows from it',
    isGlobal: false,
    port: 7,
    hasDatabase: true,
    sealsSecrets: false,
    usesBroker: true,
    consumes: {},
    callsOutside: false,
    scaling: { on: 'queue', metric: 'jobs_waiting', labels: { queue: 'forecast' }, targetPerReplica: 5 },
    memory: { request: 512, limit: 1536 },
  },
  audit: {
    purpose: 'The audit log: a hash chain a workspace, and its verification',
    isGlobal: false,
    port: 8,
    hasDatabase: true,
    sealsSecrets: false,
    usesBroker: true,
    consumes: { log: { kinds: ['AUDIT_RECORDED'] } },
    callsOutside: false,
    scaling: { on: 'queue', metric: 'events_pending', labels: { consumer: 'audit_log' }, targetPerReplica: 5_000 },
    memory: { request: 192, limit: 384 },
  },
} as const satisfies Record<string, ProcessDeclaration>

/** The name of a service. */
export type ServiceName = keyof typeof services

/** Every service name. */
export const serviceNames = Object.keys(services) as ServiceName[] // the keys of a constant object are exactly its declared names

/** Who signs assertions: the edge and every service. */
export type SignerName = ServiceName | 'gateway'

/** Every signer. */
export const signerNames: readonly SignerName[] = ['gateway', ...serviceNames]

/** What is declared of a signer. */
export const declarationOf = (name: SignerName): ProcessDeclaration => (name === 'gateway' ? edge : services[name])

/** Whether a word names a signer. */
export const isSigner = (word: string): word is SignerName => (signerNames as readonly string[]).includes(word) // widened for the lookup only
