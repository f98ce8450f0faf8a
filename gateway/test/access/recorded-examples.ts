import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointDefinition } from '@wp/contracts'
import type { TestResponse } from '@wp/testkit'
import { createApiDocument, mediaType, sentBodyOf } from './api-document.ts'
import type { EndpointCall } from './endpoint-calls.ts'
import { redact } from './redact.ts'

interface RecordedExample {
  request?: { contentType: string; body: unknown }
  response: { status: number; contentType: string | null; body?: unknown }
}

const file = join(import.meta.dirname, '../../../packages/contracts/src/openapi/examples/examples.json')

/** Compares exchanges with the OpenAPI document, and records them as its examples. */
export function createExampleRecorder() {
  const document = createApiDocument()
  const examples = new Map<string, RecordedExample>()

  return {
    /** Records an exchange. Returns how it differs from the document. */
    record(
      definition: EndpointDefinition,
      { request }: Pick<EndpointCall, 'request'>,
      response: TestResponse,
    ): string[] {
      if (!document.describes(definition)) return []
      const sent = sentBodyOf(request)
      const found = [
        ...(sent === undefined ? [] : document.compareRequest(definition, sent)),
        ...document.compareResponse(definition, response),
      ]
      // An endpoint that needs a browser is only refused here.
      if (response.status >= 400) return found
      const type = mediaType(response.headers.get('content-type'))
      const isText = type !== null && /json|text/.test(type)
      examples.set(definition.id, {
        ...(sent === undefined ? {} : { request: { contentType: sent.type, body: redact(sent.body) } }),
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
