import { type EndpointDefinition, openApiDocument } from '@wp/contracts'
import type { EdgeRequestOptions, TestResponse } from '@wp/testkit'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Json = Record<string, unknown>

interface Media {
  schema: Json
}

interface DocumentedResponse {
  $ref?: string
  content?: Record<string, Media>
  'x-problem-codes'?: readonly string[]
}

/** The parts of an operation of the OpenAPI document that describe bodies. */
interface DocumentedOperation {
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, DocumentedResponse | undefined>
}

/** The body of a request and its content type. */
export interface SentBody {
  type: string
  body: unknown
}

/** Compares requests and responses with the OpenAPI document. */
export interface ApiDocument {
  /** Returns false for endpoints of browsers, which are not in the document. */
  describes(definition: EndpointDefinition): boolean
  /** Returns how a body differs from the documented one. */
  compareRequest(definition: EndpointDefinition, sent: SentBody): string[]
  /** Returns how a response differs from those that are documented. */
  compareResponse(definition: EndpointDefinition, response: TestResponse): string[]
}

export function createApiDocument(): ApiDocument {
  const document = openApiDocument('https://api.example.com', 'v1') as {
    paths: Record<string, Record<string, DocumentedOperation>>
    components: { responses: Record<string, DocumentedResponse> }
  } // the shape of every OpenAPI document
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true, code: { optimize: false } })
  ajv.addSchema(document, 'document')
  const validators = new Map<Json, ReturnType<typeof ajv.compile>>()

  const operationOf = ({ path, method }: EndpointDefinition) => document.paths[path]?.[method.toLowerCase()]

  /** Returns a response itself, also if it is one of the components. */
  const resolve = (response: DocumentedResponse | undefined): DocumentedResponse | undefined =>
    response?.$ref === undefined ? response : document.components.responses[response.$ref.split('/').at(-1) ?? '']

  function compile(schema: Json) {
    const validate = validators.get(schema) ?? ajv.compile(withDocument(schema))
    validators.set(schema, validate)
    return validate
  }

  function differences(place: string, content: Record<string, Media> | undefined, { type, body }: SentBody): string[] {
    const media = content?.[type]
    if (media === undefined) return [`${place} has the content type ${type}, which is not documented`]
    const validate = compile(media.schema)
    return validate(body)
      ? []
      : (validate.errors ?? []).map((error) => `${place}${error.instancePath} ${error.message}`)
  }

  return {
    describes: (definition) => operationOf(definition) !== undefined,
    compareRequest: (definition, sent) =>
      differences('the request', operationOf(definition)?.requestBody?.content, sent),
    compareResponse(definition, { status, headers, body }) {
      const documented = resolve(operationOf(definition)?.responses[String(status)])
      if (documented === undefined) return [`the status ${status} is not documented`]
      const type = mediaType(headers.get('content-type'))
      const found = type === null ? [] : differences('the response', documented.content, { type, body })
      const codes = documented['x-problem-codes']
      if (codes !== undefined && !codes.includes(body.code ?? body.error))
        found.push(`the code ${body.code ?? body.error} is not documented for the status ${status}`)
      return found
    },
  }
}

/** Returns the body of a request as it is compared: JSON is parsed. Undefined if there is none. */
export function sentBodyOf({ body, rawBody, headers }: EdgeRequestOptions): SentBody | undefined {
  if (body !== undefined) return { type: 'application/json', body }
  const type = mediaType(headers?.['content-type'])
  if (typeof rawBody !== 'string' || type === null) return undefined
  return { type, body: type === 'application/json' ? JSON.parse(rawBody) : rawBody }
}

/** Returns the media type of a header field without its parameters. */
export const mediaType = (field: string | null | undefined): string | null => field?.split(';', 1)[0]?.trim() ?? null

/** Makes the references of a schema point into the document. */
const withDocument = (schema: Json): Json =>
  JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')) as Json // a copy of the object
