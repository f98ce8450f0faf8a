import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type EndpointDefinition, openApiDocument } from '@wp/contracts'
import type { TestResponse } from '@wp/testkit'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { EndpointCall } from './endpoint-calls.ts'
import { redact } from './redact.ts'

type Json = Record<string, unknown>

interface Media {
  schema: Json
}

interface DocumentedResponse {
  $ref?: string
  content?: Record<string, Media>
}

/** The parts of an operation of the OpenAPI document that describe bodies. */
interface DocumentedOperation {
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, DocumentedResponse | undefined>
}

interface RecordedExample {
  request?: { contentType: string; body: unknown }
  response: { status: number; contentType: string | null; body?: unknown }
}

const file = join(import.meta.dirname, '../../../packages/contracts/src/openapi/examples.json')

/** Compares exchanges with the OpenAPI document, and records them as its examples. */
export function createExampleRecorder() {
  const document = openApiDocument('https://api.example.com', 'v1') as {
    paths: Record<string, Record<string, DocumentedOperation>>
    components: { responses: Record<string, DocumentedResponse> }
  } // the shape of every OpenAPI document
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'document')
  const examples = new Map<string, RecordedExample>()

  /** Returns a response itself, also if it is one of the components. */
  const resolve = (response: DocumentedResponse | undefined): DocumentedResponse | undefined =>
    response?.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1) ?? '']

  /** Returns how a body differs from a documented one. */
  function differences(
    place: string,
    content: Record<string, Media> | undefined,
    type: string,
    body: unknown,
  ): string[] {
    const media = content?.[type]
    if (media === undefined) return [`${place} has the content type ${type}, which is not documented`]
    const validate = ajv.compile(withDocument(media.schema))
    return validate(body)
      ? []
      : (validate.errors ?? []).map((error) => `${place}${error.instancePath} ${error.message}`)
  }

  return {
    /** Records an exchange. Returns how it differs from the document. */
    record(
      definition: EndpointDefinition,
      { request }: Pick<EndpointCall, 'request'>,
      response: TestResponse,
    ): string[] {
      const operation = document.paths[definition.path]?.[definition.method.toLowerCase()]
      if (operation === undefined) return []
      const found: string[] = []
      const body = request.body ?? (typeof request.rawBody === 'string' ? request.rawBody : undefined)
      const sent = mediaType(request.body === undefined ? request.headers?.['content-type'] : 'application/json')
      const type = mediaType(response.headers.get('content-type'))
      const documented = resolve(operation.responses[String(response.status)])
      if (documented === undefined) found.push(`the status ${response.status} is not documented`)
      if (body !== undefined && sent !== null)
        found.push(...differences('the request', operation.requestBody?.content, sent, jsonOf(sent, body)))
      if (type !== null) found.push(...differences('the response', documented?.content, type, response.body))
      // An endpoint that needs a browser is only refused here.
      if (response.status >= 400) return found
      const isText = type !== null && /json|text/.test(type)
      examples.set(definition.id, {
        ...(body === undefined || sent === null
          ? {}
          : { request: { contentType: sent, body: redact(jsonOf(sent, body)) } }),
        response: { status: response.status, contentType: type, ...(isText ? { body: redact(response.body) } : {}) },
      })
      return found
    },
    /** Writes the recorded examples to the file that the document takes them from. */
    write(): void {
      const sorted = [...examples].sort(([a], [b]) => a.localeCompare(b, 'en'))
      writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
    },
  }
}

const mediaType = (field: string | null | undefined): string | null => field?.split(';', 1)[0]?.trim() ?? null

const jsonOf = (type: string, body: unknown): unknown =>
  type === 'application/json' && typeof body === 'string' ? JSON.parse(body) : body

/** Makes the references of a schema point into the document. */
const withDocument = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Json // a copy of the object
