import type { ServiceName, SignerName } from '@wp/contracts'
import type { Logger } from '@wp/service'
import type { DatabaseAddresses, FleetSettings } from './environment.ts'
import type { InProcessOptions, LoadMember } from './member.ts'

export interface FleetOptions {
  settings: Omit<FleetSettings, 'baseUrl' | 'upstreams'> & Partial<Pick<FleetSettings, 'baseUrl' | 'upstreams'>>
  /** The members with a process of their own, which can be killed. The others run in this process. Default: none. */
  processes?: 'all' | readonly SignerName[]
  services?: readonly ServiceName[]
  /** Start an edge. Default true; only the home cell has one. */
  edge?: boolean
  /** Members that the others know but that are not started, because the user runs them separately. */
  excluded?: readonly SignerName[]
  /** Creates the database of a service. */
  database(service: ServiceName): Promise<DatabaseAddresses>
  /** Returns a fixed port, or undefined for a free one. */
  port?(name: SignerName | 'admin'): number | undefined
  /** Additional environment of each member. */
  env?: Partial<Record<SignerName, Record<string, string>>>
  /** Returns the logger of a member in this process. Default: standard output. */
  logger?(name: SignerName): Logger
  /** Imports the code of a member in this process. Default: from its folder. */
  load?: LoadMember
  /** Additional routes of an edge in this process. */
  routes?: NonNullable<InProcessOptions['routes']>
}
