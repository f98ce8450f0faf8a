import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from './manifest.ts'

/** A compiled validator of the package: it reads every field that its schema has, and stores its errors in `errors`. */
interface Validator {
  (data: unknown): boolean
  errors?: ValidationError[] | null
}

interface ValidationError {
  instancePath: string
  keyword: string
  params: Record<string, unknown>
}

const packages = join(import.meta.dirname, '../../node_modules')

/**
 * Returns fields of a manifest that have a wrong type, are missing, or do not exist in the schema.
 *
 * The compiled validators accept unknown fields. To find these, a validator is given a proxy of the manifest that
 * records which fields it reads: a field that was not read is not in the schema. An object of which no field was read
 * is not restricted by the schema.
 */
export async function schemaProblems(manifest: Manifest): Promise<string[]> {
  const check = await loadValidator(manifest)
  if (check === undefined || /alpha|beta/.test(manifest.apiVersion))
    return [`no schema is known of ${manifest.apiVersion} ${manifest.kind}`]
  const asked = new Map<object, Set<string> | 'all'>()
  const isRight = check(recordReads(manifest, asked))
  const errors = isRight
    ? []
    : (check.errors ?? []).map((error) => `${toDottedPath(error.instancePath)}: ${describeError(error)}`)
  return [...new Set([...errors, ...unknownFields(manifest, asked, '')])]
}

/**
 * The schemas of operators and extensions, by API group: the package, and the part of their names before the version.
 */
const operatorSchemas: ReadonlyMap<string, string> = new Map([
  ['postgresql.cnpg.io', '@kubernetes-models/cloudnative-pg/_schemas/ComGithubCloudnativePgCloudnativePgApi'],
  [
    'external-secrets.io',
    '@kubernetes-models/external-secrets/_schemas/ComGithubExternalSecretsExternalSecretsApisExternalsecrets',
  ],
  ['gateway.networking.k8s.io', '@kubernetes-models/gateway-api/_schemas/IoK8sSigsGatewayApiApis'],
  [
    'monitoring.coreos.com',
    '@kubernetes-models/prometheus-operator/_schemas/ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoring',
  ],
])

/** Loads the validator. The name of a schema of Kubernetes contains the first label of the API group. */
async function loadValidator({ apiVersion, kind }: Manifest): Promise<Validator | undefined> {
  const [group = '', version = ''] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion]
  const title = (word: string) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`
  const prefix =
    operatorSchemas.get(group) ?? `kubernetes-models/_schemas/IoK8sApi${title(group.split('.', 1)[0] ?? '')}`
  const file = `${prefix}${title(version)}${kind}.js`
  if (!existsSync(join(packages, file))) return undefined
  const { validate }: { validate: Validator } = await import(join(packages, file))
  return validate
}

function describeError({ keyword, params }: ValidationError): string {
  if (keyword === 'required') return `lacks ${String(params.missingProperty)}`
  if (keyword === 'type') return `must be ${String(params.type)}`
  return `is not right: ${keyword} ${JSON.stringify(params)}`
}

function recordReads<T>(value: T, asked: Map<object, Set<string> | 'all'>): T {
  if (typeof value !== 'object' || value === null) return value
  return new Proxy(value, {
    get(target, key) {
      const field: unknown = Reflect.get(target, key)
      if (typeof key === 'string') recordRead(asked, target, key)
      return recordReads(field, asked)
    },
    ownKeys(target) {
      asked.set(target, 'all')
      return Reflect.ownKeys(target)
    },
  })
}

function recordRead(asked: Map<object, Set<string> | 'all'>, target: object, key: string): void {
  const fields = asked.get(target) ?? new Set()
  if (fields !== 'all') asked.set(target, fields.add(key))
}

function unknownFields(value: unknown, asked: ReadonlyMap<object, Set<string> | 'all'>, path: string): string[] {
  if (typeof value !== 'object' || value === null) return []
  const known = asked.get(value)
  return Object.entries(value).flatMap(([key, field]) => {
    const isKnown = Array.isArray(value) || known === undefined || known === 'all' || known.has(key)
    return isKnown ? unknownFields(field, asked, `${path}.${key}`) : [`${path}.${key}: there is no such field`]
  })
}

const toDottedPath = (pointer: string) => pointer.replaceAll('/', '.')
