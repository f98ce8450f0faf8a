import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isGlobal, type SignerName, signerNames } from '@wp/contracts'
import { databaseNames, operatorRole } from '@wp/database'
import { globalIpv6, specialIpv4, specialIpv6 } from '@wp/outbound'
import { parse, stringify } from 'yaml'
import { maxConnections } from './database-connections.ts'
import { consumersOf } from './nats/permissions.ts'
import { brokerUserNames, renderUsersConfig } from './nats/users.ts'
import { calleesOf, callersOf } from './network-access.ts'
import { declarationOf, heapLimitOf, type Scaling } from './processes.ts'
import { databaseRoles, hasSecrets } from './required-objects.ts'

const root = join(import.meta.dirname, '../../..')
const notice = '# Written by `npm run k8s` from infra/deploy/src/processes.ts and the contracts; do not edit.\n'

/** The file that the templates of the chart read. */
export const chartServicesFile = join(root, 'k8s/chart/services.yaml')

/**
 * Renders everything that the chart derives from the contracts and the process declarations: the processes and their
 * connections, the users of the broker, the addresses that are not public, and the alerts.
 */
export const renderChartServices = (): string =>
  notice +
  stringify(
    {
      services: Object.fromEntries(signerNames.map((name) => [name, describeProcess(name)])),
      auditRetentionRole: operatorRole('audit', 'retention'),
      maxConnections,
      internet: {
        ipv4: { cidr: '0.0.0.0/0', except: specialIpv4.map(({ cidr }) => cidr) },
        ipv6: { cidr: globalIpv6, except: specialIpv6.map(({ cidr }) => cidr).filter(isGlobalUnicast) },
      },
      brokerUsers: brokerUserNames,
      // SHARD stands for the shard, which is set when the pod starts.
      usersConfig: renderUsersConfig('SHARD'),
      alerts: parse(readFileSync(join(root, 'infra/observability/alerts.yml'), 'utf8')).groups,
    },
    { aliasDuplicateObjects: false, lineWidth: 0 },
  )

function describeProcess(name: SignerName) {
  const {
    hasDatabase,
    sealsSecrets,
    usesBroker,
    callsOutside,
    callsGateway,
    scaling,
    maxReplicas,
    cpuRequest,
    memory,
  } = declarationOf(name)
  const { database, app, worker, owner } = databaseNames(name)
  return {
    program: name === 'gateway' ? 'gateway/src/main.ts' : `services/${name}/src/main.ts`,
    // Global processes run in the home cell only.
    global: isGlobal(name),
    ...(hasDatabase ? { database: { name: database, app, worker, owner, passwords: databaseRoles(name) } } : {}),
    hasSecrets: hasSecrets(name),
    encrypts: sealsSecrets,
    usesBroker,
    callsOutside,
    callsGateway: callsGateway ?? false,
    callers: name === 'gateway' ? [] : callersOf(name),
    callees: calleesOf(name),
    consumers: Object.fromEntries(consumersOf(name, 'SHARD')),
    cpuPercent: scaling.on === 'cpu' ? scaling.percent : 80,
    ...(scaling.on === 'queue' ? { queue: describeQueue(scaling) } : {}),
    maxReplicas,
    cpuRequest: `${cpuRequest}m`,
    memory: { request: `${memory.request}Mi`, limit: `${memory.limit}Mi` },
    heapLimit: heapLimitOf(name),
  }
}

const describeQueue = ({ metric, labels, targetPerReplica }: Extract<Scaling, { on: 'queue' }>) => ({
  metric,
  ...(labels === undefined ? {} : { labels }),
  targetPerReplica,
})

/** Returns true for a range within 2000::/3, whose first hexadecimal digit is 2 or 3. */
const isGlobalUnicast = (cidr: string): boolean => /^[23][0-9a-f]{3}:/.test(cidr)
