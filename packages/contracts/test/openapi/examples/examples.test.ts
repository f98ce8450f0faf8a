import { describe, expect, it } from '@jest/globals'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { errorCodes, errors, openApiDocument, problemExample } from '../../../src/index.ts'
import { type Media, operations } from '../read-document.ts'

const document = openApiDocument('https://api.example.com', '1.2.3')
const ajv = new Ajv2020({ strict: false, validateFormats: false })
ajv.addSchema(document, 'document')

/** Bodies that no text can show. */
const isBinary = (type: string) => /pdf|octet-stream/.test(type)

const mediaOf = (content: Record<string, Media> = {}) => Object.entries(content).filter(([type]) => !isBinary(type))

/** Returns what is wrong with an example; undefined if it has the documented shape. */
function problemOf({ schema, example }: Media): string | undefined {
  const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/')
  const validate = ajv.compile(JSON.parse(text))
  return validate(example) ? undefined : ajv.errorsText(validate.errors)
}

describe('the examples of the document', () => {
  it.each(operations(document).map((operation) => [operation.operationId, operation] as const))(
    'of %s have the documented shape',
    (_, { responses, requestBody }) => {
      const answers = Object.entries(responses)
        .filter(([status]) => Number(status) < 300)
        .flatMap(([, { content }]) => mediaOf(content))
      const shown = [...mediaOf(requestBody?.content), ...answers].filter(([, media]) => 'example' in media)
      expect(shown.map(([, media]) => problemOf(media)).filter((problem) => problem !== undefined)).toEqual([])
      if (answers.length > 0) expect(answers.some(([, media]) => 'example' in media)).toBe(true)
      if (requestBody?.required === true)
        expect(mediaOf(requestBody.content).some(([, media]) => 'example' in media)).toBe(true)
    },
  )

  it.each(errorCodes)('of the error %s have the documented shape and its status', (code) => {
    for (const [format, name] of [
      ['problem', 'Problem'],
      ['oauth', 'OAuthProblem'],
      ['scim', 'ScimProblem'],
    ] as const) {
      const example = problemExample(code, format)
      expect(problemOf({ schema: { $ref: `#/components/schemas/${name}` }, example })).toBeUndefined()
      const { status } = errors[code]
      const written = format === 'scim' ? String(status) : status
      expect(example).toMatchObject({ code, status: written, detail: expect.stringMatching(/^\S.{4,}/) })
    }
  })

  it('contain no secret and no address of the machine that recorded them', () => {
    const text = JSON.stringify(operations(document).map(({ requestBody, responses }) => [requestBody, responses]))
    expect(text).not.toMatch(
      /eyJ[\w-]+\.[\w-]+\.[\w-]+|127\.0\.0\.1:|whsec_[A-Za-z0-9+/]{20}|key_[a-z0-9]+\.[A-Z]+\.ws_/,
    )
  })
})
