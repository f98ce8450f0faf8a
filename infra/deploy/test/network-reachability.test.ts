import { beforeAll, expect, it } from '@jest/globals'
import { isGlobal, type SignerName, serviceNames, signerNames } from '@wp/contracts'
import { callersOf } from '../src/network-access.ts'
import { declarationOf } from '../src/processes.ts'
import type { Manifest } from './check/manifest.ts'
import { canReach, type PodLocation } from './check/network-reachability.ts'
import { workloadsOf } from './check/workloads.ts'
import { describeWithHelm, reason, renderEnvironment } from './render-chart.ts'

const outside = (namespace: string): PodLocation => ({ namespace, labels: { app: 'other' } })

describeWithHelm(`the network policies${reason}`, () => {
  let manifests: Manifest[]
  beforeAll(async () => {
    manifests = await renderEnvironment('two-cells')
  })

  const cellOf = (name: SignerName) => (isGlobal(name) ? ['wp-one'] : ['wp-one', 'wp-two'])
  const place = (namespace: string, name: string): PodLocation => {
    const found = workloadsOf(manifests).find(
      (workload) => workload.namespace === namespace && workload.manifest.metadata.name === name,
    )
    if (found === undefined) throw new Error(`there is no ${name} in ${namespace}`)
    return found
  }
  const places = (names: readonly SignerName[]) =>
    names.flatMap((name) => cellOf(name).map((namespace) => ({ name, ...place(namespace, name) })))

  it('allow exactly the calls in the contracts, within a cell and between the home cell and other cells', () => {
    const wrong: string[] = []
    for (const from of places(signerNames))
      for (const to of places(serviceNames)) {
        const [caller, service] = [from.name, to.name as (typeof serviceNames)[number]] // `places` gave what it was asked for
        const isSelf = caller === service && from.namespace === to.namespace
        const areTogether = from.namespace === to.namespace || isGlobal(caller) !== isGlobal(service)
        const should = callersOf(service).includes(caller) && areTogether
        // Connections between replicas of one process are not compared.
        if (!isSelf && canReach(manifests, from, to, 8080) !== should)
          wrong.push(`${caller} in ${from.namespace} ${should ? 'cannot' : 'can'} reach ${service} in ${to.namespace}`)
      }
    expect(wrong).toEqual([])
  })

  it('allow these callers of these services', () => {
    const who = (service: SignerName) =>
      signerNames.filter(
        (name) =>
          name !== service &&
          cellOf(name).includes('wp-one') &&
          canReach(manifests, place('wp-one', name), place('wp-one', service), 8080),
      )
    expect(who('webhook-delivery')).toEqual(['gateway', 'system', 'mcp', 'console'])
    expect(who('integrations')).toEqual(['gateway', 'system', 'data', 'ai', 'mcp', 'notifications'])
    expect(who('audit')).toEqual(['gateway', 'system', 'webhook-delivery', 'mcp'])
    expect(who('data')).toEqual(['gateway', 'system', 'solutions', 'ai', 'mcp'])
    expect(who('console')).toEqual(['gateway', 'system'])
    expect(who('gateway')).toEqual(['console'])
  })

  it('allow pods outside the platform to reach the public port of the gateway only', () => {
    const open = workloadsOf(manifests).flatMap((to) =>
      [8080, 9090, 4222, 6222, 8222, 5432]
        .filter((port) => canReach(manifests, outside('elsewhere'), to, port))
        .map((port) => `${to.manifest.metadata.name} ${port}`),
    )
    expect(open).toEqual(['gateway 8080'])
    expect(canReach(manifests, outside('wp-one'), place('wp-one', 'data'), 8080)).toBe(false)
  })

  it('allow processes with a database to reach the database server of their cell', () => {
    const server = (namespace: string): PodLocation => ({
      namespace,
      labels: { 'workspace-platform/role': 'database' },
    })
    for (const from of places(signerNames))
      for (const namespace of ['wp-one', 'wp-two'])
        expect([from.name, namespace, canReach(manifests, from, server(namespace), 5432)]).toEqual([
          from.name,
          namespace,
          declarationOf(from.name).hasDatabase && from.namespace === namespace,
        ])
  })

  it('allow broker users to reach the broker of their cell, and global processes those of all cells', () => {
    for (const from of places(signerNames))
      for (const namespace of ['wp-one', 'wp-two'])
        expect([from.name, namespace, canReach(manifests, from, place(namespace, 'nats'), 4222)]).toEqual([
          from.name,
          namespace,
          declarationOf(from.name).usesBroker && (from.namespace === namespace || isGlobal(from.name)),
        ])
  })

  it('allow some processes to reach the internet but no private network', () => {
    const internet = manifests
      .filter(({ kind, spec }) => kind === 'NetworkPolicy' && JSON.stringify(spec).includes('ipBlock'))
      .map(({ metadata, spec }) => ({ name: metadata.name, text: JSON.stringify(spec) }))
    expect([...new Set(internet.map(({ name }) => name))].sort()).toEqual(
      signerNames.filter((name) => declarationOf(name).callsOutside).sort(),
    )
    for (const { text } of internet)
      for (const range of [
        '10.0.0.0/8',
        '172.16.0.0/12',
        '192.168.0.0/16',
        '169.254.0.0/16',
        '100.64.0.0/10',
        '127.0.0.0/8',
      ])
        expect(text).toContain(range)
    // Only the database server may connect to any address, on the port of the Kubernetes API.
    const anywhere = manifests.filter(
      ({ kind, spec }) =>
        kind === 'NetworkPolicy' &&
        ((spec as { egress?: { to?: unknown }[] }).egress ?? []).some(({ to }) => to === undefined), // its schema says so
    )
    expect([...new Set(anywhere.map(({ metadata }) => metadata.name))]).toEqual(['postgres-operator'])
  })
})
