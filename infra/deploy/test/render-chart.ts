import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe } from '@jest/globals'
import { findHelm } from '@wp/testkit'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from './check/manifest.ts'

const root = join(import.meta.dirname, '../../..')

/** The chart, relative to the root of the project. */
export const chart = 'k8s/chart'

/** A release of the chart: its namespace and its files in k8s/environments. */
export interface Release {
  namespace: string
  files: readonly string[]
}

/** The environments, each with its releases. */
export const environments: Readonly<Record<string, readonly Release[]>> = {
  local: [{ namespace: 'wp-local', files: ['local.yaml'] }],
  small: [{ namespace: 'wp-small', files: ['small.yaml'] }],
  sandbox: [{ namespace: 'wp-sandbox', files: ['sandbox.yaml'] }],
  production: [{ namespace: 'wp-one', files: ['production.yaml'] }],
  'two-cells': [
    { namespace: 'wp-one', files: ['production.yaml', 'two-cells/home.yaml'] },
    { namespace: 'wp-two', files: ['two-cells/two.yaml'] },
  ],
}

/** Every optional component of the chart, as arguments of Helm. */
export const everyComponent = [
  ...['monitoring.enabled', 'externalSecrets.enabled', 'opensearch.enabled', 'postgres.archive', 'autoscaling.byQueue'],
  ...['image.pullSecret=registry', 'entry.kind=gateway-api', 'entry.className=envoy'],
].map((value) => `--set=${value.includes('=') ? value : `${value}=true`}`)

export const [describeWithHelm, reason] =
  findHelm() === undefined ? [describe.skip, ' (skipped: no helm; npm run helm builds it)'] : [describe, '']

/** Runs Helm in the root of the project. @throws Error with its output if it fails */
export async function helm(args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(findHelm() ?? 'helm', args, { cwd: root, maxBuffer: 64 * 1024 ** 2 })
  return stdout
}

/** Returns the arguments of Helm for the values of a release; its examples are accepted. */
export const valuesOf = ({ namespace, files }: Release): string[] => [
  `--namespace=${namespace}`,
  ...files.map((file) => `--values=k8s/environments/${file}`),
  '--set=allowExampleValues=true',
]

/** Shared by the processes of a test run, which removes it at its end. */
const renderedFolder = join(tmpdir(), `wp-testkit-${process.ppid}-chart-${process.env.WP_TEST_RUN}`)

/**
 * Renders an environment once in a test run and returns its objects with their namespaces. Helm and the parser of YAML
 * take ten times as long as the other uses of the objects.
 * @param more arguments of Helm, such as `--set=nats.replicas=1`
 */
export async function renderEnvironment(name: string, ...more: string[]): Promise<Manifest[]> {
  const file = join(
    renderedFolder,
    createHash('sha256')
      .update([name, ...more].join(' '))
      .digest('hex'),
  )
  if (!existsSync(file)) {
    const text = JSON.stringify(await renderReleases(environments[name] ?? [], more))
    mkdirSync(renderedFolder, { recursive: true })
    // Another process may render the same.
    writeFileSync(`${file}.${process.pid}`, text)
    renameSync(`${file}.${process.pid}`, file)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

const renderReleases = async (releases: readonly Release[], more: readonly string[]): Promise<Manifest[]> =>
  (await Promise.all(releases.map((release) => renderRelease(release, more)))).flat()

/** Renders a release, with the namespace that docs/runbooks/deploy.md creates. */
async function renderRelease(release: Release, more: readonly string[]): Promise<Manifest[]> {
  const args = ['template', 'workspace-platform', chart, '--kube-version=1.34.0', ...valuesOf(release), ...more]
  const documents = parseAllDocuments(await helm(args)).filter(({ contents }) => contents !== null)
  const manifests = documents.map((document): Manifest => {
    for (const error of document.errors) throw error
    return document.toJS() as Manifest // the schema check reports missing fields
  })
  const { namespace } = release
  for (const { kind, metadata } of manifests) if (kind !== 'PriorityClass') metadata.namespace = namespace
  const cell = release.files.includes('two-cells/two.yaml') ? 'beside' : 'home'
  const labels = { 'workspace-platform/cell': cell }
  return [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } }, ...manifests]
}
