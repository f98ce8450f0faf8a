import { processOf, type SignerName, signerNames } from '@wp/contracts'
import { stringify } from 'yaml'
import type { Manifest } from './manifests/manifest.ts'
import { brokerManifests } from './manifests/nats.ts'
import {
  between,
  databasePolicies,
  defaultDeny,
  edgeMetricsPolicy,
  externalDatabasePolicies,
  metricsPolicies,
} from './manifests/network.ts'
import { manifestsOf } from './manifests/process.ts'
import { provisionManifests } from './manifests/provision.ts'
import { usersConfig } from './nats/users.ts'
import { brokerUsers, calledBy, callersOf } from './reach.ts'

const notice =
  '# Written by `pnpm k8s` from the list of services (packages/contracts/src/services.ts); not to be edited.\n'

const isGlobal = (name: SignerName) => processOf(name).global

/** Processes that serve all shards, from the home cell; and those that are in every cell. */
export const homeProcesses = signerNames.filter(isGlobal)
export const cellProcesses = signerNames.filter((name) => !isGlobal(name))

/** Every file below `k8s/` that follows from the list of services, by its path there. */
export function generated(): ReadonlyMap<string, string> {
  return new Map([
    ...processFiles('base/cell/services', cellProcesses),
    ...processFiles('base/home/services', homeProcesses),
    ['base/cell/network.yaml', documents([defaultDeny, ...metricsPolicies()])],
    ['base/home/network.yaml', documents([edgeMetricsPolicy()])],
    ['base/cell/nats.yaml', documents(brokerManifests())],
    ['base/cell/nats/users.conf', usersConfig('SHARD')],
    ['base/cell/provision.yaml', documents(provisionManifests('provision-cell', keeping(cellProcesses)))],
    ['base/home/provision.yaml', documents(provisionManifests('provision-home', keeping(homeProcesses)))],
    ['components/postgres-policy/policy.yaml', documents(databasePolicies())],
    ['components/postgres-external/policy.yaml', documents(externalDatabasePolicies())],
    ['components/cells/network.yaml', documents(homeToCells())],
    ['components/cell-beside/network.yaml', documents(cellToHome())],
  ])
}

const keeping = (names: readonly SignerName[]) => names.filter((name) => processOf(name).database)

function processFiles(folder: string, names: readonly SignerName[]): [string, string][] {
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: names.map((name) => `${name}.yaml`),
  }
  return [
    [`${folder}/kustomization.yaml`, `${notice}${stringify(kustomization)}`],
    ...names.map((name): [string, string] => [`${folder}/${name}.yaml`, documents(manifestsOf(name))]),
  ]
}

/** Namespaces of the other cells carry the first label, the home's the second. */
const cells = { 'workspace-platform/cell': 'beside' }
const home = { 'workspace-platform/cell': 'home' }

/** What the home cell needs besides, when there are others: its global processes reach theirs, and are reached. */
function homeToCells(): Manifest[] {
  return homeProcesses
    .map((name) => {
      const to = [
        ...calledBy(name).filter((service) => !isGlobal(service)),
        ...(processOf(name).broker ? ['nats'] : []),
      ]
      const from = name === 'gateway' ? [] : callersOf(name).filter((caller) => !isGlobal(caller))
      return between({ name: `${name}-cells` }, name, cells, { to, from })
    })
    .filter(says)
}

/** What a cell beside the home needs: to be reached by what serves all shards, and to reach it. */
function cellToHome(): Manifest[] {
  const services = cellProcesses.map((name) => {
    const from = name === 'gateway' ? [] : callersOf(name).filter(isGlobal)
    return between({ name: `${name}-home` }, name, home, { to: calledBy(name).filter(isGlobal), from })
  })
  const broker = between({ name: 'nats-home' }, 'nats', home, { from: brokerUsers.filter(isGlobal) })
  return [...services, broker].filter(says)
}

const says = ({ spec }: Manifest) => Object.keys(Object(spec)).some((key) => key === 'ingress' || key === 'egress')

const documents = (manifests: readonly Manifest[]): string =>
  `${notice}${manifests.map((manifest) => stringify(manifest, { aliasDuplicateObjects: false, lineWidth: 0 })).join('---\n')}`
