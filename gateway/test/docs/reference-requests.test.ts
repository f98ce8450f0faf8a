import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { type EndpointDefinition, openApiDocument, publicEndpoints } from '@wp/contracts'
import { exampleOfMedia } from '../../docs-site/src/reference/example.ts'
import { type Operation, readOperations } from '../../docs-site/src/reference/operation.ts'
import { exampleBase, samplesOf } from '../../docs-site/src/reference/samples.ts'
import { createSampleProject, runSamples, type SampleLanguage, type SampleProject } from './fixture/run-samples.ts'
import { type RecordedRequest, type SampleRecorder, startSampleRecorder } from './fixture/sample-recorder.ts'

const document = openApiDocument('https://api.example.com', 'v1')
const operations = readOperations(document)
const definitions = new Map(publicEndpoints.map(({ definition }) => [definition.id, definition]))
const credentials = { WP_API_KEY: 'key_of_samples', WP_TOKEN: 'token_of_samples' }

let recorder: SampleRecorder
let project: SampleProject
beforeAll(async () => {
  project = await createSampleProject()
  recorder = await startSampleRecorder(
    new Map(
      operations.flatMap((operation) =>
        [...languages].map((name) => [sampleName(operation, name), responseOf(operation)]),
      ),
    ),
  )
})
afterAll(async () => {
  project?.remove()
  await recorder?.close()
})

const languages = ['sh', 'ts'] as const
const sampleName = ({ id }: Operation, language: SampleLanguage) => `${language}-${id}`

/** The documented response of an operation. */
function responseOf({ responses }: Operation) {
  const [success] = responses.filter(({ status }) => Number(status) < 400)
  const [contentType, media] = success?.content[0] ?? ['application/json', {}]
  const body = contentType === 'application/json' ? JSON.stringify(exampleOfMedia(document, media)) : ''
  // The samples follow no redirect.
  return { status: Math.min(Number(success?.status ?? 200), 299), contentType, body }
}

describe.each(languages)('the samples of the reference in %s', (language) => {
  it('send one request that the contract accepts', async () => {
    const samples = operations.map((operation) => {
      const code = samplesOf(document, operation).find((sample) => sample.language === language)?.code ?? ''
      return { line: 0, language, isResponse: false, code: runnable(language, operation, code) }
    })
    expect(samples.length).toBeGreaterThan(150)
    const { exitCode, errors } = await runSamples(project, samples, language, exampleBase, credentials)
    expect({ exitCode, errors: language === 'ts' ? errors : '' }).toEqual({ exitCode: 0, errors: '' })
    const faults = operations.flatMap((operation) =>
      faultsOf(operation, recorder.requestsOf(sampleName(operation, language))).map(
        (fault) => `${operation.id}: ${fault}`,
      ),
    )
    expect(faults).toEqual([])
  })
})

/** Gives a sample an address and a scope of its own. */
function runnable(language: SampleLanguage, operation: Operation, code: string): string {
  const addressed = code.replaceAll(exampleBase, recorder.baseOf(sampleName(operation, language)))
  if (language === 'sh') return addressed
  const statement = /^import .*\n/.exec(addressed)?.[0] ?? ''
  const scoped = `await (async () => {\n${addressed.slice(statement.length)}\n})()`
  return operation === operations[0] ? `import { createClient } from '@workspace-platform/client'\n${scoped}` : scoped
}

function faultsOf(operation: Operation, requests: readonly RecordedRequest[]): string[] {
  const definition = definitions.get(operation.id as EndpointDefinition['id']) // checked below
  const [request] = requests
  if (definition === undefined || request === undefined || requests.length > 1) return [`${requests.length} requests`]
  return [
    ...(request.method === operation.method ? [] : [`the method is ${request.method}`]),
    ...faultsOfPath(definition, request),
    ...faultsOfShape('query', definition.query, request.query),
    ...faultsOfBody(definition, request),
    ...faultsOfCredential(operation, request),
  ]
}

function faultsOfPath({ path, params }: EndpointDefinition, request: RecordedRequest): string[] {
  const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)
  const match = pattern.exec(request.path)
  if (match === null) return [`the path is ${request.path}`]
  const values = Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])
  return faultsOfShape('path', params, Object.fromEntries(values))
}

function faultsOfBody({ body, input }: EndpointDefinition, request: RecordedRequest): string[] {
  if (body === undefined) return input === 'stream' && request.body === '' ? ['the body is missing'] : []
  const type = request.headers['content-type'] ?? 'application/json'
  if (!type.startsWith('application/json')) return [`the content type is ${type}`]
  return faultsOfShape('body', body, request.body === '' ? {} : JSON.parse(request.body))
}

function faultsOfCredential({ credentials: accepted }: Operation, { headers }: RecordedRequest): string[] {
  const isKey = headers['x-api-key'] === credentials.WP_API_KEY
  const isToken = headers.authorization === `Bearer ${credentials.WP_TOKEN}`
  if (accepted.length === 0 || accepted.includes('basic')) return []
  return (isKey && accepted.includes('apiKey')) || (isToken && accepted.includes('bearer')) ? [] : ['no credential']
}

function faultsOfShape(place: string, shape: EndpointDefinition['body'], value: unknown): string[] {
  const parsed = shape?.safeParse(value)
  return parsed?.success === false
    ? parsed.error.issues.map(({ path, message }) => `${place} ${path.join('.')}: ${message}`)
    : []
}
