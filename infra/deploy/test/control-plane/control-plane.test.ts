import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { eventually } from '@wp/testkit'
import { overlays, render } from '../../src/check/render.ts'
import type { Manifest } from '../../src/manifests/manifest.ts'
import { rolloutSteps } from '../../src/rollout.ts'
import { monitorBudgets } from './budget-monitor.ts'
import { defineCustomKinds, getObjects, kubeconfig, kubectl, reportDatabasesReady, tryKubectl } from './cluster.ts'

const root = join(import.meta.dirname, '../../../..')
const company = 'infra/deploy/test/fixture/company'
const namespace = 'wp-one'
const inNamespace = `--namespace=${namespace}`
const stepMs = 900_000

const [describeWithCluster, reason] =
  kubeconfig === undefined
    ? [describe.skip, ' (skipped: CONTROL_PLANE_KUBECONFIG does not name a cluster)']
    : [describe, '']

const namespacesOf = (manifests: readonly Manifest[]) =>
  manifests.filter(({ kind }) => kind === 'Namespace').map(({ metadata }) => metadata.name)

async function deleteNamespaces(names: readonly string[]): Promise<void> {
  await kubectl(['delete', 'namespace', ...names, '--ignore-not-found', '--timeout=5m'])
  // Their volumes can be used again when they do not belong to a claim any more.
  const released = (await getObjects<Manifest & { status: { phase: string } }>(['persistentvolumes'])).filter(
    ({ status }) => status.phase === 'Released',
  )
  for (const { metadata } of released)
    await kubectl([
      'patch',
      'persistentvolume',
      metadata.name,
      '--type=json',
      '--patch=[{"op":"remove","path":"/spec/claimRef"}]',
    ])
}

describeWithCluster(`a control plane of Kubernetes${reason}`, () => {
  for (const overlay of overlays) {
    it(
      `accepts every object of ${overlay}, with strict validation, and a second apply would change nothing`,
      async () => {
        const manifests = await render(join(root, 'k8s/overlays', overlay))
        await defineCustomKinds(manifests)
        const applied = rolloutSteps(manifests).flatMap((step) => (step.manifests === undefined ? [] : [step]))
        for (const { args, manifests: objects } of applied) await kubectl([...args, '--validate=strict'], objects)
        for (const { manifests: objects } of applied) {
          const args = ['diff', '--server-side', '--force-conflicts', '--field-manager=rollout', '-f', '-']
          const { code, stdout, stderr } = await tryKubectl(args, objects)
          expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
        }
        await deleteNamespaces(namespacesOf(manifests))
      },
      stepMs,
    )
  }
})

describeWithCluster(`npm run k8s:rollout with a control plane${reason}`, () => {
  let folder: string
  let names: string[]

  beforeAll(async () => {
    const manifests = await render(join(root, company))
    names = namespacesOf(manifests)
    await defineCustomKinds(manifests)
    folder = mkdtempSync(join(root, 'node_modules/.cache/control-plane-'))
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
    await deleteNamespaces(names)
  }, stepMs)

  /** Rolls out a folder, and plays the operator of the databases. */
  async function rollout(path: string): Promise<string> {
    const env = { ...process.env, KUBECONFIG: kubeconfig }
    const running = promisify(execFile)(process.execPath, ['infra/deploy/src/rollout-main.ts', path], {
      cwd: root,
      env,
    })
    let isRunning = true
    const ended = running.finally(() => {
      isRunning = false
    })
    const isReady = async () => !isRunning || (await reportDatabasesReady().then(() => false))
    await Promise.all([ended, eventually(isReady, { timeoutMs: stepMs, intervalMs: 500, description: 'the rollout' })])
    return (await running).stdout
  }

  /** Writes a kustomization with another tag of the image. */
  function withTag(newTag: string): string {
    writeFileSync(
      join(folder, 'kustomization.yaml'),
      JSON.stringify({
        resources: [relative(folder, join(root, company))],
        images: [{ name: 'registry.company.test/workspace-platform', newTag }],
      }),
    )
    return folder
  }

  const generations = async () =>
    Object.fromEntries(
      (await getObjects<{ metadata: { name: string; generation: number } }>(['deployments', inNamespace])).map(
        ({ metadata }) => [metadata.name, metadata.generation],
      ),
    )
  const imageOf = (name: string) =>
    kubectl(['get', `deployment/${name}`, inNamespace, '--output=jsonpath={.spec.template.spec.containers[0].image}'])

  it(
    'ends with every pod running, under the restricted Pod Security Standard',
    async () => {
      await rollout(company)
      for (const name of names) {
        const labels = await kubectl(['get', 'namespace', name, '--output=jsonpath={.metadata.labels}'])
        expect(JSON.parse(labels)).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' })
      }
      const workloads = await getObjects<{
        metadata: { name: string }
        spec: { replicas: number }
        status: { readyReplicas?: number }
      }>(['deployments,statefulsets', inNamespace])
      expect(workloads.length).toBeGreaterThan(13)
      expect(workloads.filter(({ spec, status }) => status.readyReplicas !== spec.replicas)).toEqual([])
      expect(await getObjects(['events', inNamespace, '--field-selector=reason=FailedCreate'])).toEqual([])
      const container = { name: 'privileged', image: 'busybox', securityContext: { privileged: true } }
      const pod = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'privileged', namespace },
        spec: { containers: [container] },
      }
      const refused = await tryKubectl(['apply', '-f', '-'], [pod])
      expect(refused.stderr).toContain('violates PodSecurity "restricted')
    },
    stepMs,
  )

  it(
    'changes nothing when it is repeated',
    async () => {
      const before = await generations()
      await rollout(company)
      expect(await generations()).toEqual(before)
    },
    stepMs,
  )

  it(
    'takes back what others have changed',
    async () => {
      await kubectl(['set', 'image', 'deployment/data', 'data=registry.company.test/another:1', inNamespace])
      await rollout(company)
      expect(await imageOf('data')).toBe('registry.company.test/workspace-platform:0.1.0')
    },
    stepMs,
  )

  it(
    'replaces every pod within the disruption budgets',
    async () => {
      const monitor = monitorBudgets(namespace)
      await rollout(withTag('0.2.0'))
      const { comparisons, violations } = await monitor.stop()
      expect(violations).toEqual([])
      expect(comparisons).toBeGreaterThan(10)
      expect(await imageOf('gateway')).toBe('registry.company.test/workspace-platform:0.2.0')
    },
    stepMs,
  )

  it(
    'leaves the pods of before in service when new ones do not become ready',
    async () => {
      const monitor = monitorBudgets(namespace)
      await kubectl([
        'set',
        'image',
        'deployment/data',
        'data=registry.example.com/workspace-platform:broken',
        inNamespace,
      ])
      const status = await tryKubectl(['rollout', 'status', 'deployment/data', inNamespace, '--timeout=15s'])
      expect(status.code).not.toBe(0)
      await kubectl(['rollout', 'undo', 'deployment/data', inNamespace])
      await kubectl(['rollout', 'status', 'deployment/data', inNamespace, '--timeout=5m'])
      expect((await monitor.stop()).violations).toEqual([])
    },
    stepMs,
  )

  it(
    'has budgets that a drain of each node keeps',
    async () => {
      const monitor = monitorBudgets(namespace)
      for (const { metadata } of await getObjects(['nodes'])) {
        await kubectl([
          'drain',
          metadata.name,
          '--ignore-daemonsets',
          '--delete-emptydir-data',
          '--force',
          '--timeout=10m',
        ])
        await kubectl(['uncordon', metadata.name])
      }
      expect((await monitor.stop()).violations).toEqual([])
    },
    stepMs,
  )
})
