import { describe, expect, it } from '@jest/globals'
import { errorCodes, jobErrorCodes, jobErrors, openApiDocument, syncErrorCodes } from '../src/index.ts'

describe('the catalogue of job errors', () => {
  it.each(jobErrorCodes)('%s has a title and a help text', (code) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
    expect(jobErrors[code].title).toMatch(/^[A-Z].*[^.]$/)
    expect(jobErrors[code].help).toMatch(/\.$/)
  })

  it('has no code of the error catalogue, and every code of a failed sync', () => {
    const others = new Set<string>(errorCodes)
    expect(jobErrorCodes.filter((code) => others.has(code))).toEqual([])
    expect([...jobErrorCodes, ...errorCodes]).toEqual(expect.arrayContaining([...syncErrorCodes]))
  })

  it('is listed in the OpenAPI document', () => {
    const text = JSON.stringify(openApiDocument('https://api.example.com', 'v1').components)
    for (const code of jobErrorCodes) expect(text).toContain(`\`${code}\``)
  })
})
