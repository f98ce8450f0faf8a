import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { findHelm } from '@wp/testkit'
import { chart, environments, everyComponent, type Release, renderEnvironment, valuesOf } from '../render-chart.ts'
import { monitorBudgets } from './budget-monitor.ts'
import { defineCustomKinds, getObjects, kubeconfig, kubectl, tryHelm, tryKubectl } from './cluster.ts'

const stepMs = 900_000
const image = 'registry.example.com/workspace-platform'

const [describeWithCluster, reason] =
  kubeconfig === undefined || findHelm() === undefined
    ? [describe.skip, ' (skipped: no helm, or CONTROL_PLANE_KUBECONFIG does not name a cluster)']
    : [describe, '']

const releaseName = 'workspace-platform'
const nameOf = (namespace: string) => [releaseName, `--namespace=${namespace}`]

/** Runs Helm. @throws Error with its message if it fails */
async function helm(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await tryHelm(args)
  if (code !== 0) throw new Error(`helm ${args.join(' ')} exited with ${code}: ${stderr}`)
  return stdout
}

const upgrade = (release: Release, ...more: string[]) => [
  'upgrade',
  '--install',
  releaseName,
  chart,
  ...valuesOf(release),
  '--timeout=10m',
  ...more,
]

/** Creates the namespace as docs/runbooks/deploy.md does. */
async function createNamespace({ namespace, files }: Release): Promise<void> {
  const cell = files.includes('two-cells/two.yaml') ? 'beside' : 'home'
  const labels = [
    `workspace-platform/cell=${cell}`,
    'pod-security.kubernetes.io/enforce=restricted',
    'pod-security.kubernetes.io/enforce-version=v1.33',
  ]
  await kubectl(['create', 'namespace', namespace])
  await kubectl(['label', 'namespace', namespace, ...labels])
}

async function remove({ namespace }: Release): Promise<void> {
  await tryHelm(['uninstall', ...nameOf(namespace), '--ignore-not-found', '--wait'])
  await kubectl(['delete', 'namespace', namespace, '--ignore-not-found', '--timeout=5m'])
  // Volumes can be used again when they do not belong to a claim any more.
  const volumes = await getObjects<{ metadata: { name: string }; status: { phase: string } }>(['persistentvolumes'])
  const patch = '--patch=[{"op":"remove","path":"/spec/claimRef"}]'
  for (const { metadata, status } of volumes)
    if (status.phase === 'Released') await kubectl(['patch', 'persistentvolume', metadata.name, '--type=json', patch])
}

describeWithCluster(`a control plane of Kubernetes${reason}`, () => {
  const cases = Object.entries(environments).flatMap(([name, releases]) =>
    releases.map((release): [string, Release, string[]] => [`${name} in ${release.namespace}`, release, []]),
  )
  const production: Release = { namespace: 'wp-one', files: ['production.yaml'] }

  it.each([...cases, ['production with every component', production, everyComponent]])(
    'accepts every object of %s',
    async (_title, release, values) => {
      await defineCustomKinds(await renderEnvironment('production', ...everyComponent))
      await createNamespace(release)
      await helm(upgrade(release, ...values))
      await remove(release)
    },
    stepMs,
  )
})

describeWithCluster(`a release of production${reason}`, () => {
  const release: Release = { namespace: 'wp-one', files: ['production.yaml'] }
  const inNamespace = '--namespace=wp-one'

  beforeAll(async () => {
    await defineCustomKinds(await renderEnvironment('production'))
    await createNamespace(release)
  }, stepMs)
  afterAll(() => remove(release), stepMs)

  const generations = async () =>
    (await getObjects<{ metadata: { name: string; generation: number } }>(['deployments', inNamespace])).map(
      ({ metadata }) => [metadata.name, metadata.generation],
    )
  const imageOf = (name: string) =>
    kubectl(['get', `deployment/${name}`, inNamespace, '--output=jsonpath={.spec.template.spec.containers[0].image}'])

  it(
    'ends with every pod running, under the restricted Pod Security Standard',
    async () => {
      await helm(upgrade(release, '--wait', '--wait-for-jobs', '--set=image.tag=0.1.0'))
      const workloads = await getObjects<{ spec: { replicas: number }; status: { readyReplicas?: number } }>([
        'deployments,statefulsets',
        inNamespace,
      ])
      expect(workloads.length).toBeGreaterThan(13)
      expect(workloads.filter(({ spec, status }) => status.readyReplicas !== spec.replicas)).toEqual([])
      expect(await getObjects(['events', inNamespace, '--field-selector=reason=FailedCreate'])).toEqual([])
    },
    stepMs,
  )

  it(
    'changes nothing when it is repeated, and takes back what others have changed',
    async () => {
      const before = await generations()
      await helm(upgrade(release, '--atomic', '--set=image.tag=0.1.0'))
      expect(await generations()).toEqual(before)
      await kubectl(['set', 'image', 'deployment/data', 'data=registry.company.test/another:1', inNamespace])
      await helm(upgrade(release, '--atomic', '--set=image.tag=0.1.0'))
      expect(await imageOf('data')).toBe(`${image}:0.1.0`)
    },
    stepMs,
  )

  it(
    'is upgraded within the disruption budgets, the gateway last, and rolled back',
    async () => {
      const monitor = monitorBudgets('wp-one')
      await helm(upgrade(release, '--atomic', '--set=image.tag=0.2.0', '--set=holdGateway=true'))
      expect([await imageOf('data'), await imageOf('gateway')]).toEqual([`${image}:0.2.0`, `${image}:0.1.0`])
      await helm(upgrade(release, '--atomic', '--set=image.tag=0.2.0'))
      expect(await imageOf('gateway')).toBe(`${image}:0.2.0`)
      await helm(['rollback', ...nameOf('wp-one'), '1', '--wait', '--timeout=10m'])
      expect([await imageOf('data'), await imageOf('gateway')]).toEqual([`${image}:0.1.0`, `${image}:0.1.0`])
      const { comparisons, violations } = await monitor.stop()
      expect(violations).toEqual([])
      expect(comparisons).toBeGreaterThan(10)
    },
    stepMs,
  )

  it(
    'stays as it was when the pods of an upgrade do not become ready',
    async () => {
      const monitor = monitorBudgets('wp-one')
      const failed = await tryHelm(
        upgrade(release, '--atomic', '--set=image.tag=broken', '--timeout=30s', '--no-hooks'),
      )
      expect(failed.code).not.toBe(0)
      expect(await imageOf('data')).toBe(`${image}:0.1.0`)
      expect((await monitor.stop()).violations).toEqual([])
    },
    stepMs,
  )

  it(
    'keeps its budgets while each node is drained',
    async () => {
      const monitor = monitorBudgets('wp-one')
      const options = ['--ignore-daemonsets', '--delete-emptydir-data', '--force', '--timeout=10m']
      for (const { metadata } of await getObjects(['nodes'])) {
        await kubectl(['drain', metadata.name, ...options])
        await kubectl(['uncordon', metadata.name])
      }
      expect((await monitor.stop()).violations).toEqual([])
    },
    stepMs,
  )

  it('lets no pod run with privileges', async () => {
    const container = { name: 'privileged', image: 'busybox', securityContext: { privileged: true } }
    const metadata = { name: 'privileged', namespace: 'wp-one' }
    const refused = await tryKubectl(
      ['apply', '-f', '-'],
      [{ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [container] } }],
    )
    expect(refused.stderr).toContain('violates PodSecurity "restricted')
  })
})
