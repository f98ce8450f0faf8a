/** When a service needs more replicas. */
export type Scaling =
  /** Its requests keep the processors busy. */
  | { on: 'cpu'; percent: number }
  /** More waits than its replicas get done: a gauge that every replica reports alike, and what one of them copes with. */
  | { on: 'queue'; metric: string; labels?: Readonly<Record<string, string>>; each: number }

/** Events that a service hears for one purpose, as narrowly as the broker can tell them apart. */
export interface Hearing {
  /** Where all of them come from one. */
  producer?: string
  kinds: readonly string[] | 'all'
}

/** What whoever runs a process has to know of it. */
export interface ProcessDeclaration {
  /** What it is for, in a sentence. */
  purpose: string
  /** Whether it serves all shards from one place. */
  global: boolean
  /** Which port after the base it has in a local fleet; in a container, which is a place of its own, all have the same. */
  port: number
  /** Whether it keeps something, in a database of its own. */
  database: boolean
  /** Whether it seals secrets, under a key of its own. */
  seals: boolean
  /** Whether it is on the broker. */
  broker: boolean
  /** Purposes for which it hears events. */
  hears: Readonly<Record<string, Hearing>>
  /** Whether it goes to addresses outside of the platform. Every other way is the `callers` of contracts. */
  outside: boolean
  /** Whether it asks all others how they are. */
  watches?: boolean
  scaling: Scaling
  /** What one replica is given, in MiB, and what it must never need more than. */
  memory: { usual: number; most: number }
}

/** The edge. Its port is that of its admin side; what it serves has the public one. */
export const edge = {
  purpose: 'Says who is calling, what they may and how much, and forwards it',
  global: true,
  port: 0,
  database: false,
  seals: false,
  broker: true,
  hears: {},
  outside: false,
  scaling: { on: 'cpu', percent: 60 },
  memory: { usual: 256, most: 512 },
} as const satisfies ProcessDeclaration

/** The services of the fleet. Local fleet, containers, Kubernetes and the broker's permissions follow from this list. */
export const services = {
  auth: {
    purpose: 'Tokens, API keys, service principals, and who may do what',
    global: true,
    port: 1,
    database: true,
    seals: true,
    broker: true,
    hears: {},
    outside: true,
    scaling: { on: 'cpu', percent: 70 },
    memory: { usual: 256, most: 512 },
  },
  system: {
    purpose: 'Health of the fleet, workspaces and their variables',
    global: true,
    port: 2,
    database: true,
    seals: true,
    broker: true,
    hears: {},
    outside: false,
    watches: true,
    scaling: { on: 'cpu', percent: 70 },
    memory: { usual: 192, most: 384 },
  },
  data: {
    purpose: 'Data sources, syncs and records',
    global: false,
    port: 3,
    database: true,
    seals: false,
    broker: true,
    hears: { embedding: { producer: 'integrations', kinds: ['INTEGRATION_CONNECTED', 'INTEGRATION_FAILED'] } },
    outside: true,
    scaling: { on: 'queue', metric: 'jobs_waiting', labels: { queue: 'sync' }, each: 10 },
    memory: { usual: 512, most: 1024 },
  },
  integrations: {
    purpose: 'What workspaces connect to, and the secrets for it',
    global: false,
    port: 4,
    database: true,
    seals: true,
    broker: true,
    hears: {},
    outside: true,
    scaling: { on: 'cpu', percent: 70 },
    memory: { usual: 192, most: 384 },
  },
  webhooks: {
    purpose: 'Webhook subscriptions and their deliveries',
    global: false,
    port: 5,
    database: false,
    seals: false,
    broker: false,
    hears: {},
    outside: false,
    scaling: { on: 'cpu', percent: 70 },
    memory: { usual: 128, most: 256 },
  },
  'webhook-delivery': {
    purpose: 'Keeps subscriptions and delivers events to them',
    global: false,
    port: 6,
    database: true,
    seals: true,
    broker: true,
    hears: { deliveries: { kinds: 'all' } },
    outside: true,
    scaling: { on: 'queue', metric: 'webhook_deliveries_due', each: 5_000 },
    memory: { usual: 256, most: 512 },
  },
  solutions: {
    purpose: 'Packaged workflows: workplace forecasting and what follows from it',
    global: false,
    port: 7,
    database: true,
    seals: false,
    broker: true,
    hears: {},
    outside: false,
    scaling: { on: 'queue', metric: 'jobs_waiting', labels: { queue: 'forecast' }, each: 5 },
    memory: { usual: 512, most: 1536 },
  },
  audit: {
    purpose: 'The audit log: a hash chain a workspace, and its verification',
    global: false,
    port: 8,
    database: true,
    seals: false,
    broker: true,
    hears: { log: { kinds: ['AUDIT_RECORDED'] } },
    outside: false,
    scaling: { on: 'queue', metric: 'events_pending', labels: { consumer: 'audit_log' }, each: 5_000 },
    memory: { usual: 192, most: 384 },
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
export const processOf = (name: SignerName): ProcessDeclaration => (name === 'gateway' ? edge : services[name])

/** Whether a word names a signer. */
export const isSigner = (word: string): word is SignerName => (signerNames as readonly string[]).includes(word) // widened for the lookup only
