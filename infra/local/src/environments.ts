import type { PortOptions } from './ports.ts'

/** An environment that `npm start` can run: a platform of its own, beside the others on this machine. */
interface LocalEnvironment {
  /** Host of the base URL. A browser shares the cookies of a host between all its ports. */
  host: string
  /** Parts of the ids of API keys, so that a person can tell whose they are. */
  cell: { shard: string; location: string }
  defaultPorts: PortOptions
  /** Folder of its data within the data folder; empty for the data folder itself. */
  folder: string
  /** Variables of its processes. */
  variables: Readonly<Record<string, string>>
}

/** The environments, by the name that ENVIRONMENT has in them. */
export const localEnvironments = {
  development: {
    host: '127.0.0.1',
    cell: { shard: 'local', location: 'DEV' },
    defaultPorts: { port: 8080, basePort: 8100, postgresPort: 15432, natsPort: 14222 },
    folder: '',
    variables: {},
  },
  sandbox: {
    host: 'localhost',
    cell: { shard: 'sandbox', location: 'UAT' },
    defaultPorts: { port: 9080, basePort: 9100, postgresPort: 15532, natsPort: 14322 },
    folder: 'sandbox',
    // The same rules as in production apply; clients connect directly.
    variables: { ENVIRONMENT: 'sandbox', TRUSTED_PROXIES: '127.0.0.1' },
  },
} satisfies Record<string, LocalEnvironment>

export type LocalEnvironmentName = keyof typeof localEnvironments

export const isLocalEnvironment = (name: string): name is LocalEnvironmentName => Object.hasOwn(localEnvironments, name)
