import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { findHelm } from '@wp/testkit'
import type { Manifest } from '../check/manifest.ts'

/** The cluster in which the manifests are tried: an empty one that may be thrown away. */
export const kubeconfig = process.env.CONTROL_PLANE_KUBECONFIG

/** What a program printed, and its exit code. */
export interface ProgramResult {
  code: number
  stdout: string
  stderr: string
}

/** Runs kubectl in the cluster, with objects as its input. */
export const tryKubectl = (args: readonly string[], objects?: readonly object[]) => runProgram('kubectl', args, objects)

/** Runs Helm in the cluster, in the root of the project. */
export const tryHelm = (args: readonly string[]) => runProgram(findHelm() ?? 'helm', args)

async function runProgram(file: string, args: readonly string[], objects?: readonly object[]): Promise<ProgramResult> {
  const env = { ...process.env, KUBECONFIG: kubeconfig }
  const child = spawn(file, args, { env, cwd: join(import.meta.dirname, '../../../..') })
  child.stdin.on('error', () => {}) // kubectl may exit before it has read everything
  child.stdin.end(objects === undefined ? '' : JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }))
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code: Number(code), stdout, stderr }
}

/** Returns what kubectl prints. @throws Error with its message if it fails */
export async function kubectl(args: readonly string[], objects?: readonly object[]): Promise<string> {
  const { code, stdout, stderr } = await tryKubectl(args, objects)
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} exited with ${code}: ${stderr}`)
  return stdout
}

/** Returns objects of the cluster, such as `['deployments', '--namespace=one']`. */
export async function getObjects<Kind = Manifest>(args: readonly string[]): Promise<Kind[]> {
  return JSON.parse(await kubectl(['get', ...args, '--output=json'])).items
}

/** Kinds whose definitions Kubernetes has. */
const isBuiltIn = ({ apiVersion }: Manifest) =>
  /^(v1|\w+\/v\w+|[\w.]+\.k8s\.io\/v\w+)$/.test(apiVersion) && !isGatewayApi(apiVersion)
const isGatewayApi = (apiVersion: string) => apiVersion.startsWith('gateway.networking.k8s.io/')

/**
 * Defines the kinds of operators that manifests use, without a schema: the manifests are compared with the operators'
 * own schemas elsewhere.
 */
export async function defineCustomKinds(manifests: readonly Manifest[]): Promise<void> {
  const custom = manifests.filter((manifest) => !isBuiltIn(manifest))
  const definitions = new Map(
    custom.map((manifest) => [`${manifest.apiVersion} ${manifest.kind}`, definition(manifest)]),
  )
  if (definitions.size === 0) return
  const objects = [...definitions.values()]
  await kubectl(['apply', '--server-side', '-f', '-'], objects)
  const names = objects.map(({ metadata }) => `customresourcedefinition/${metadata.name}`)
  await kubectl(['wait', '--for=condition=Established', ...names, '--timeout=1m'])
}

function definition({ apiVersion, kind }: Manifest) {
  const [group = '', version = ''] = apiVersion.split('/')
  const singular = kind.toLowerCase()
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } }
  const annotations = group.endsWith('.k8s.io') ? { 'api-approved.kubernetes.io': 'unapproved, for a test' } : {}
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${singular}s.${group}`, annotations },
    spec: {
      group,
      names: { kind, singular, plural: `${singular}s` },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
  }
}
