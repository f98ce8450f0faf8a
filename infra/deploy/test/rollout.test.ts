import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { isGlobal, serviceNames } from '@wp/contracts'
import { runProgram } from '@wp/testkit'
import { overlays } from '../src/check/render.ts'
import type { Manifest } from '../src/manifests/manifest.ts'
import { rolloutSteps } from '../src/rollout.ts'
import { renderOverlay } from './fixture/rendered-overlays.ts'

const key = ({ kind, metadata }: Manifest) => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`

describe('rolloutSteps', () => {
  it.each([...overlays])('applies every manifest of %s, services first and the gateway last', async (overlay) => {
    const manifests = await renderOverlay(overlay)
    const steps = rolloutSteps(manifests)
    const applied = steps.flatMap((step, index) =>
      (step.manifests ?? []).map((manifest) => ({ index, name: key(manifest) })),
    )
    expect(applied.map(({ name }) => name.replace(/^(Job\/.*)-[0-9a-f]{10}$/, '$1')).sort()).toEqual(
      manifests.map(key).sort(),
    )

    const when = (part: string) => applied.filter(({ name }) => name.startsWith(part)).map(({ index }) => index)
    const waits = (part: string) => steps.flatMap(({ args }, index) => (args.join(' ').includes(part) ? [index] : []))
    const [edge = -1] = applied.filter(({ name }) => /^Deployment\/.*\/gateway$/.test(name)).map(({ index }) => index)
    const services = applied.filter(({ name }) => /^Deployment\//.test(name) && !name.endsWith('/gateway'))
    const cellServices = serviceNames.filter((name) => !isGlobal(name))
    expect(services.length).toBe(serviceNames.length + (overlay === 'two-cells' ? cellServices.length : 0))
    const done = waits('rollout status deployment.apps/').filter((index) => index < edge)
    expect(done.length).toBe(services.length)
    expect(Math.max(...services.map(({ index }) => index))).toBeLessThan(Math.min(...done))
    // Migrations need the databases, and those the server. Every pod needs network policies and the broker.
    expect(Math.max(...waits('wait --for=condition=Complete'))).toBeLessThan(
      Math.min(...services.map(({ index }) => index)),
    )
    expect(Math.max(...waits('rollout status statefulset.apps/nats'))).toBeLessThan(Math.min(...when('Job/')))
    for (const kind of ['NetworkPolicy/', 'ConfigMap/', 'StatefulSet/'])
      expect(new Set(when(kind))).toEqual(new Set([0]))
    if (overlay !== 'local') expect(Math.min(...when('Ingress/'))).toBe(edge)
  })

  it('names the API group of every object that it waits for', async () => {
    const waits = rolloutSteps(await renderOverlay('production')).filter(({ manifests }) => manifests === undefined)
    expect(waits.map(({ args }) => args.find((arg) => arg.includes('/')))).toEqual(
      expect.arrayContaining(['cluster.postgresql.cnpg.io/postgres', 'deployment.apps/auth']),
    )
  })

  it('takes over fields that other managers have changed', async () => {
    const applies = rolloutSteps(await renderOverlay('production')).filter(({ manifests }) => manifests !== undefined)
    for (const { args } of applies) expect(args).toEqual(expect.arrayContaining(['--server-side', '--force-conflicts']))
  })

  it('gives a job another name when its content changes, and deletes none', async () => {
    const manifests = await renderOverlay('production')
    const jobNames = (all: readonly Manifest[]) =>
      rolloutSteps(all).flatMap(({ manifests: applied = [] }) =>
        applied.filter(({ kind }) => kind === 'Job').map(({ metadata }) => metadata.name),
      )
    expect(jobNames(manifests)).toEqual(jobNames(structuredClone(manifests)))
    const changed = JSON.parse(JSON.stringify(manifests).replaceAll('workspace-platform:0.1.0', 'workspace-platform:2'))
    expect(jobNames(changed)).toHaveLength(2)
    expect(jobNames(changed).filter((name) => jobNames(manifests).includes(name))).toEqual([])
    expect(rolloutSteps(manifests).filter(({ args }) => args[0] === 'delete')).toEqual([])
  })
})

describe('npm run k8s:rollout', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wp-rollout-'))
    // A fake kubectl that records its calls, renders with the real one, and fails at the given call.
    const real = (await promisify(execFile)('sh', ['-c', 'command -v kubectl || true'])).stdout.trim()
    const script = `#!/bin/sh
case "$1" in kustomize|version) exec ${real || 'false'} "$@";; esac
echo "$@" >> ${folder}/asked
case "$*" in *condition=Complete*"$STUCK"*) exec sleep 600;; esac
case "$*" in *condition=Failed*"$STUCK"*) exit 0;; *condition=Failed*) exit 1;; esac
case "$*" in "get configmaps"*) echo configmap/platform-old; echo configmap/platform-used; exit;; esac
case "$*" in "get deployments"*) echo '{"configMap":{"name":"platform-used"}}'; exit;; esac
cat > /dev/null
case "$*" in *"$FAILS"*) exit 7;; esac
`
    await writeFile(join(folder, 'kubectl'), script)
    await chmod(join(folder, 'kubectl'), 0o755)
  })
  afterEach(() => rm(folder, { recursive: true }))

  const company = 'infra/deploy/test/fixture/company'
  const rollout = (fails: string, args: string[], stuck = 'nothing') =>
    runProgram('infra/deploy/src/rollout-main.ts', args, {
      PATH: `${folder}${delimiter}${process.env.PATH}`,
      FAILS: fails,
      STUCK: stuck,
    })
  const asked = async () => (await readFile(join(folder, 'asked'), 'utf8')).trim().split('\n')

  it('applies prerequisites first and waits for the gateway last', async () => {
    await rollout('nothing', [company])
    const calls = await asked()
    expect(calls[0]).toMatch(/^apply --server-side/)
    expect(calls.findLast((call) => call.startsWith('rollout'))).toBe(
      'rollout status deployment.apps/gateway --namespace=wp-one --timeout=10m',
    )
  })

  it('deletes the ConfigMaps of earlier rollouts that no pod template uses', async () => {
    const { stdout } = await rollout('nothing', [company])
    const calls = await asked()
    expect(calls.at(-1)).toBe('delete configmap platform-old --namespace=wp-one')
    expect(calls.find((call) => call.startsWith('get configmaps'))).toContain('managed-by=k8s-rollout')
    expect(stdout).toContain('deleted ConfigMap wp-one/platform-old')
  })

  it('stops at once when a job has failed', async () => {
    await expect(rollout('nothing', [company], 'provision-home')).rejects.toThrow(/stopped: kubectl exited with 1/)
    expect((await asked()).some((call) => call.includes('deployment'))).toBe(false)
  })

  it('does not change the gateway when a service does not become ready', async () => {
    await expect(rollout('rollout status deployment.apps/data', [company])).rejects.toThrow(
      /stopped: kubectl exited with 7/,
    )
    const calls = await asked()
    expect(calls.at(-1)).toMatch(/^rollout status deployment\.apps\/data/)
    expect(calls.some((call) => call.includes('gateway'))).toBe(false)
  })

  it('applies nothing while the overlay has example values, and lists them', async () => {
    const refused = rollout('nothing', ['k8s/overlays/production'])
    await expect(refused).rejects.toThrow(/TRUSTED_PROXIES is 192\.0\.2\.0\/28/)
    await expect(refused).rejects.toThrow(/SMTP_URL is smtps:\/\/mail\.example\.com/)
    await expect(refused).rejects.toThrow(/image is registry\.example\.com/)
    await expect(asked()).rejects.toThrow(/ENOENT/)
  })

  it('prints the steps without running them with --dry-run', async () => {
    const { stdout } = await rollout('', ['k8s/overlays/production', '--dry-run'])
    expect(stdout).toContain('rollout status deployment.apps/gateway')
    await expect(asked()).rejects.toThrow(/ENOENT/)
  })
})
