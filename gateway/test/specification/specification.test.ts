import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { openApiDocument } from '@wp/contracts'

/** The specification of the public API. It is not part of the project. */
const file = new URL('../../../../shared/spec/workspace-platform-api.md', import.meta.url)
const isPresent = existsSync(file)
if (!isPresent) process.stderr.write(`skipped: ${file.pathname} is not here\n`)

/** The methods and paths of the specification: of its tables, and of headings such as "POST /v1/auth/token has …". */
const endpoints: [method: string, path: string][] = [
  ...(isPresent ? readFileSync(file, 'utf8') : '').split('\n'),
].flatMap((line) => {
  const [, methods = '', path = ''] =
    /^(?:\| )?((?:GET|POST|PATCH|DELETE)(?:, [A-Z]+)*)(?: \||) (\/(?:v1|api)\/[\w/{}-]+)/.exec(line) ?? []
  return path === '' ? [] : methods.split(', ').map((method): [string, string] => [method, path])
})

const describeIfPresent = isPresent ? describe : describe.skip

// The access tests call every endpoint of the document.
describeIfPresent('the endpoints of the specification', () => {
  const { paths } = openApiDocument('https://api.example.com', 'v1') as { paths: Record<string, object> } // of any such document

  it('are found in its tables', () => {
    expect(endpoints.length).toBeGreaterThan(40)
    expect(endpoints).toContainEqual(['PATCH', '/v1/auth/admin/roles'])
    expect(endpoints).toContainEqual(['POST', '/v1/auth/token'])
  })

  it.each(endpoints)('%s %s is in the OpenAPI document', (method, path) => {
    expect(Object.keys(paths[path] ?? {})).toContain(method.toLowerCase())
  })
})
